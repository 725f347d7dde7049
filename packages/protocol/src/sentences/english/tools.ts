import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const TOOLS = {
  "server-without-sign-in": () => "This tool server needs no sign-in.",
  "sign-in-unknown": () => "This sign-in was not started here, or it has expired. Start again.",
  "server-in-projects": () =>
    "It runs inside each project's sandbox, and is started there when a turn begins.",
  "server-value-missing": ({ name, values }: { name: Value; values: Value }) =>
    `${name}: no value is stored for ${values} with this command or address. Type it again, or remove it.`,
  "server-not-trustable": () =>
    "Only a program that is set up for all projects can be trusted: it runs outside every sandbox.",
  "servers-invalid": ({ why }: { why: Value }) => `${why}`,
  "sign-in-failed": ({ why }: { why: Value }) => `Signing in did not work: ${why}`,
  "server-failed": ({ why }: { why: Value }) => `The tool server failed: ${why}`,
};
