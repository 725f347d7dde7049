import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const DESIGN = {
  "design-changed": ({ more, parts }: { more: number; parts: Value }) =>
    `Design: ${parts}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`}`,
  "before-design": () => "Before the design was changed",
  "bad-token-name": ({ name }: { name: Value }) =>
    `“${name}” cannot be the name of a token: two dashes, then letters, digits and dashes. Nothing was changed.`,
  "bad-token-value": ({ name, value }: { name: Value; value: Value }) =>
    `“${value}” cannot be the value of ${name}. Nothing was changed.`,
  "no-such-mode": ({ mode, name }: { mode: Value; name: Value }) =>
    `No style sheet sets tokens for “${mode}”, so ${name} cannot be set there. Nothing was changed.`,
  "no-stylesheet": () =>
    "The project has no style sheet that could import its tokens. Nothing was changed.",
  "tokens-not-writable": ({ name }: { name: Value }) =>
    `${name} cannot be changed here without changing something else. Nothing was changed; edit it in the file.`,
  "design-unreadable": () =>
    "The project's style sheets could not be read in time. Nothing was changed.",
  "tokens-not-json": () => "This is no file of tokens: it cannot be read as JSON.",
  "tokens-none": () => "No tokens were found there.",
  "tokens-of-type": ({ count, type }: { count: Value; type: Value }) =>
    `Left out: ${count} of the type “${type}”`,
  "tokens-unresolved": ({ more, parts }: { more: number; parts: Value }) =>
    `Left out, because their values are missing or cannot be written as CSS: ${parts}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`}`,
  "tokens-same-name": ({ more, parts }: { more: number; parts: Value }) =>
    `Left out, because an earlier one has the same name in CSS: ${parts}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`}`,
  "themes-left-out": ({ more, parts }: { more: number; parts: Value }) =>
    `Themes beyond the first two are left out: ${parts}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`}`,
  "tokens-only-in-modes": ({ more, parts }: { more: number; parts: Value }) =>
    `Left out, because they are set in one mode only: ${parts}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`}`,
  "look-address": () =>
    "This is no address of a page: it begins with https:// or http://, and has no name and password in it.",
  "look-failed": ({ host }: { host: Value }) =>
    `No page of ${host} could be read. It has to be public, and to answer within half a minute.`,
  "look-no-browser": () =>
    "The browser that reads pages is missing, or it broke off. `treadle doctor` says what is missing.",
};
