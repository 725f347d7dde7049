import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const FILES = {
  "is-link": ({ path }: { path: Value }) => `${path} is a link. Nothing was changed.`,
  "undo-too-large": ({ path }: { path: Value }) =>
    `${path} is too large to undo single changes. Nothing was undone; you can undo the whole file.`,
  "undo-conflict": ({ path }: { path: Value }) =>
    `The same lines of ${path} were changed since. Nothing was undone: compare with now to see them.`,
  "not-formatted": () => "The project's formatter failed. Nothing was changed.",
  "not-formatted-because": ({ why }: { why: Value }) =>
    `The project's formatter failed. Nothing was changed. ${why}`,
  "log-line-invalid": ({ number, why }: { number: number; why: Value }) =>
    `Line ${number.toLocaleString("en")} could not be imported: ${why}. Nothing was saved.`,
  "archive-invalid": ({ why }: { why: Value }) =>
    `The archive was not imported. ${why} Nothing of it was saved.`,
  "too-many-files": ({ limit }: { limit: number }) =>
    `There are more than ${limit.toLocaleString("en")} files, the limit. Nothing was saved. Leave out what is installed or built, such as node_modules.`,
  "chat-invalid": ({ why }: { why: Value }) =>
    `This is not an export of bolt's chat: ${why}. Nothing was saved.`,
  "repository-too-large": ({ files, megabytes }: { files: number; megabytes: number }) =>
    `The repository holds ${files.toLocaleString("en")} files of ${megabytes.toLocaleString("en")} MB; at most 100,000 files and 2 GB can be imported. Nothing of it was saved.`,
};
