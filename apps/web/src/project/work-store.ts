import type { ProjectPath } from "@treadle/protocol";
import { create } from "zustand";
import { readVisit, writeVisit } from "../ui/browser-settings.ts";
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
  terminal: boolean;
  /** The person opened the terminals just now: what is typed next is for them. */
  terminalAsked: boolean;
  /** The checkpoints that Changes compares. */
  span: { from: string; to?: string | undefined } | undefined;
  /** The file that Changes is to bring into view; it was asked for once. */
  changePath: ProjectPath | undefined;
  /** The file that Changes shows over time, in place of all. */
  historyPath: ProjectPath | undefined;
}

interface WorkActions {
  /** Another project is open. Whether its terminals were is known from before a reload. */
  reset: (project: string) => void;
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
  toggleTerminal: () => void;
  /** `path`: the file that is to be seen first. */
  showChanges: (span: WorkState["span"], path?: ProjectPath) => void;
  changeShown: () => void;
  /** Undefined: all files again. */
  showFileHistory: (path: ProjectPath | undefined) => void;
}

const START: WorkState = {
  tab: "preview",
  tabChosen: false,
  path: undefined,
  place: undefined,
  pathChosen: false,
  pane: "chat",
  terminal: false,
  terminalAsked: false,
  span: undefined,
  changePath: undefined,
  historyPath: undefined,
};

const CHANGES = { tab: "changes", tabChosen: true, pane: "code" } as const;

let open = "";
const terminalKey = (project: string) => `treadle.terminals.${project}`;

/** What the person looks at in the project that is open. */
export const useWork = create<WorkState & WorkActions>((set, get) => ({
  ...START,
  reset: (project) => {
    open = project;
    set({ ...START, terminal: readVisit(terminalKey(project)) !== undefined });
  },
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
  toggleTerminal: () =>
    set(({ terminal }) => {
      writeVisit(terminalKey(open), terminal ? undefined : "open");
      return { terminal: !terminal, terminalAsked: !terminal };
    }),
  showChanges: (span, changePath) => set({ ...CHANGES, span, changePath, historyPath: undefined }),
  changeShown: () => set({ changePath: undefined }),
  showFileHistory: (historyPath) => set({ ...CHANGES, historyPath }),
}));
