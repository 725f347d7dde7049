import { create } from "zustand";

type Overlay = "all" | "files" | "symbols" | "shortcuts";

/** The overlay above the page: the palette of everything, of files or of symbols, or the list of shortcuts. */
export const useOverlay = create<{
  shown: Overlay | undefined;
  /** Whether it has been open before; its code is loaded only then. */
  any: boolean;
}>(() => ({ shown: undefined, any: false }));

export const showOverlay = (shown: Overlay | undefined): void =>
  useOverlay.setState(({ any }) => ({ shown, any: any || shown !== undefined }));
