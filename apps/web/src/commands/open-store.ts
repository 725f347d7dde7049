import { create } from "zustand";

type Over = "all" | "files" | "symbols" | "shortcuts";

/** What stands over the page: the palette of everything, of files alone or of symbols, or the list of shortcuts. */
export const useOverPage = create<{
  shown: Over | undefined;
  /** It was shown before: until then nothing of it is loaded. */
  any: boolean;
}>(() => ({ shown: undefined, any: false }));

export const showOverPage = (shown: Over | undefined): void =>
  useOverPage.setState(({ any }) => ({ shown, any: any || shown !== undefined }));
