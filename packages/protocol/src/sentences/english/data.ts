import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const DATA = {
  "database-slow": ({ seconds }: { seconds: number }) =>
    `The database did not answer within ${seconds.toLocaleString("en")} seconds. Ask for less, or check whether the app locks it.`,
  "database-transfer-slow": ({ minutes }: { minutes: number }) =>
    `The database was not done within ${minutes.toLocaleString("en")} minutes. Nothing was changed.`,
  "database-silent": () => "The database gave no answer.",
  "database-not-asked": ({ why }: { why: Value }) => `The database could not be asked: ${why}`,
  "data-not-kept": () =>
    "The app's data were not saved with this checkpoint. Nothing was changed; go back with the files only.",
};
