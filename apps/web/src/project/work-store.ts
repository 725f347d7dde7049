import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";
import type { WorkTab } from "./follow.ts";

export type Pane = "chat" | "preview" | "code" | "more";

interface WorkState {
  tab: WorkTab;
  /** The person chose the tab: from then on it stays. */
  tabChosen: boolean;
  path: ProjectPath | undefined;
  /** Where in that file the cursor is to go. */
  place: { line: number; column: number } | undefined;
  /** The person chose the file. */
  pathChosen: boolean;
  /** What fills a narrow page. */
  pane: Pane;
}

interface WorkActions {
  /** Another project is open. */
  reset: () => void;
  chooseTab: (tab: WorkTab) => void;
  followTab: (tab: WorkTab) => void;
  /** `place`: line and column, from 1. */
  openFile: (path: ProjectPath, place?: { line: number; column: number }) => void;
  /** Where the cursor is to go; it was asked for once. */
  takePlace: () => WorkState["place"];
  followFile: (path: ProjectPath) => void;
  /** The file and the tab that are shown stay: the person is at work in them. */
  holdFile: () => void;
  closeFile: () => void;
  letFollow: () => void;
  showPane: (pane: Pane) => void;
}

const START: WorkState = {
  tab: "preview",
  tabChosen: false,
  path: undefined,
  place: undefined,
  pathChosen: false,
  pane: "chat",
};

/** Which tab and which file the person looks at in the project that is open. */
export const useWork = create<WorkState & WorkActions>((set, get) => ({
  ...START,
  reset: () => set(START),
  chooseTab: (tab) => set({ tab, tabChosen: true, pane: tab === "preview" ? "preview" : "code" }),
  followTab: (tab) => set((state) => (state.tabChosen || state.tab === tab ? state : { tab })),
  openFile: (path, place) =>
    set({ path, place, pathChosen: true, tab: "code", tabChosen: true, pane: "code" }),
  takePlace: () => {
    const { place } = get();
    if (place) set({ place: undefined });
    return place;
  },
  followFile: (path) =>
    set((state) =>
      state.pathChosen || (state.path === path && state.place === undefined)
        ? state
        : { path, place: undefined },
    ),
  holdFile: () =>
    set((state) => (state.pathChosen ? state : { pathChosen: true, tabChosen: true })),
  closeFile: () => set({ path: undefined, pathChosen: false }),
  letFollow: () => set({ pathChosen: false, tabChosen: false }),
  showPane: (pane) =>
    set(({ tab }) => {
      if (pane === "preview") return { pane, tab: "preview", tabChosen: true };
      if (pane === "code") return { pane, tab: tab === "preview" ? "code" : tab, tabChosen: true };
      return { pane };
    }),
}));
