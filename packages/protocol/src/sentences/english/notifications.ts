import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const NOTIFICATIONS = {
  "notification-unreachable": ({ host, why }: { host: Value; why: Value }) =>
    `${host} cannot be reached (${why}).`,
  "notification-off": () => "This is not set up yet, so nothing was sent.",
  "webhook-address-invalid": () =>
    "The address begins with http:// or https://, and has no name and password in it.",
  "webhook-refused": ({ host, status }: { host: Value; status: Value }) =>
    `${host} did not take it: it answered with ${status}.`,
  "mail-login": ({ host }: { host: Value }) => `${host} refuses the user name or the password.`,
  "mail-unencrypted": ({ host }: { host: Value }) =>
    `${host} offers no encrypted connection that can be trusted. Nothing was sent.`,
  "mail-refused": ({ host, why }: { host: Value; why: Value }) =>
    `${host} did not take the mail: ${why}`,
};
