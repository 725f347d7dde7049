import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";
import type { WorkTab } from "./follow.ts";

export type Pane = "chat" | "preview" | "code" | "more";

interface WorkState {
  tab: WorkTab;
  /** Whether the person selected the tab; it then no longer changes by itself. */
  tabChosen: boolean;
  path: ProjectPath | undefined;
  /** The cursor position to go to in that file. */
  place: { line: number; column: number } | undefined;
  /** Whether the person selected the file. */
  pathChosen: boolean;
  /** The pane shown on a narrow page. */
  pane: Pane;
}

interface WorkActions {
  /** Resets the state for another project. */
  reset: () => void;
  chooseTab: (tab: WorkTab) => void;
  followTab: (tab: WorkTab) => void;
  /** `place`: line and column, counted from 1. */
  openFile: (path: ProjectPath, place?: { line: number; column: number }) => void;
  /** Takes the requested cursor position; returns it only once. */
  takePlace: () => WorkState["place"];
  followFile: (path: ProjectPath) => void;
  /** Keeps the current file and tab, because the person is working in them. */
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

/** The tab and file that the person sees in the open project. */
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
