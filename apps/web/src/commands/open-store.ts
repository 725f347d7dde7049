import { create } from "zustand";

type Over = "all" | "files" | "symbols" | "shortcuts";

/** What is open above the page: the palette of everything, of files or of symbols, or the list of shortcuts. */
export const useOverPage = create<{
  shown: Over | undefined;
  /** Whether it has been open before; its code is loaded only then. */
  any: boolean;
}>(() => ({ shown: undefined, any: false }));

export const showOverPage = (shown: Over | undefined): void =>
  useOverPage.setState(({ any }) => ({ shown, any: any || shown !== undefined }));
