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
  "import-no-json": () => "it is no JSON",
  "import-chats-count": ({ count, limit }: { count: Value; limit: Value }) =>
    `it holds ${count} chats, and 1 to ${limit} can be imported`,
  "import-field-invalid": ({ field, why }: { field: Value; why: Value }) => `${field}: ${why}`,
  "import-file-binary": ({ path }: { path: Value }) =>
    `${path} is not text, and its bytes are not in the export.`,
  "import-answer-part-left-out": ({ why }: { why: Value }) => `Left out of an answer: ${why}`,
  "import-change-unfit": ({ path }: { path: Value }) =>
    `A change of ${path} by hand does not fit its text, and was not taken over.`,
  "import-not-written": ({ why }: { why: Value }) => `Not written: ${why}`,
  "import-more-notes": ({ count }: { count: number }) => `And ${count.toLocaleString("en")} more.`,
  "import-submodules": ({ count }: { count: number }) =>
    `${count === 1 ? "A submodule is" : `${count.toLocaleString("en")} submodules are`} left out: they are repositories of others, and empty folders here.`,
  "import-lfs": () =>
    "Files that Git LFS keeps elsewhere are here as the pointers that the repository holds.",
  "import-not-web": () =>
    "It is not a web app, so there will be no preview. You can edit it like any other, and its own tests check it if it has any.",
  "log-not-treadle": () => "it does not begin like a log of Treadle",
  "log-other-version": () => "it is of another Treadle",
  "log-before-first": () => "it comes before the first",
  "log-empty": () => "there is none",
  "log-too-deep": () => "it is nested too deep",
  "log-entry-invalid": ({ what }: { what: Value }) => `it is not a valid ${what}`,
  "log-entry-invalid-at": ({ place, what }: { place: Value; what: Value }) =>
    `it is not a valid ${what} (${place})`,
  "log-entry-other": () => "it is not an entry of a log",
};
