import type { ProjectPath } from "@treadle/protocol";
import { isUnder, movedPath } from "@treadle/protocol/project-path";
import { create, type StoreApi, type UseBoundStore } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { withPermanent, withMoved, withShown, type FileTab } from "./tabs.ts";

/** Number of tabs that the browser remembers per project. */
const MAX_TABS = 50;

export interface TabsState {
  tabs: readonly FileTab[];
  /** All open files, the most recently shown first. */
  recent: readonly ProjectPath[];
  /** The file shown to the right of the tabs. */
  beside: ProjectPath | undefined;
  /** Files with unsaved text. */
  edited: ReadonlySet<ProjectPath>;
  show(path: ProjectPath): void;
  keepOpen(path: ProjectPath): void;
  move(path: ProjectPath, to: number): void;
  /** Returns the file to show next if the closed one was shown. */
  close(path: ProjectPath): ProjectPath | undefined;
  rename(from: ProjectPath, to: ProjectPath): void;
  showBeside(path: ProjectPath | undefined): void;
  setEdited(path: ProjectPath, edited: boolean): void;
}

const stores = new Map<string, UseBoundStore<StoreApi<TabsState>>>();

/** The open files of one project, stored in the browser. */
export function openFilesOf(project: string): UseBoundStore<StoreApi<TabsState>> {
  let store = stores.get(project);
  if (!store) stores.set(project, (store = createOpenFiles(`treadle.tabs.${project}`)));
  return store;
}

function createOpenFiles(key: string): UseBoundStore<StoreApi<TabsState>> {
  const store = create<TabsState>((set, get) => ({
    ...read(key),
    beside: undefined,
    edited: new Set(),
    show: (path) =>
      set(({ tabs, recent }) => {
        const next = withShown(tabs, path);
        const open = new Set(next.map((tab) => tab.path));
        return {
          tabs: next,
          recent: [path, ...recent.filter((one) => one !== path && open.has(one))],
        };
      }),
    // Runs at each key press, so it must not change the state if nothing changed.
    keepOpen: (path) =>
      set((state) => {
        const tabs = withPermanent(state.tabs, path);
        return tabs === state.tabs ? state : { tabs };
      }),
    move: (path, to) => set(({ tabs }) => ({ tabs: withMoved(tabs, path, to) })),
    close(path) {
      set(({ tabs, recent }) => ({
        tabs: tabs.filter((tab) => tab.path !== path),
        recent: recent.filter((one) => one !== path),
      }));
      return get().recent[0];
    },
    rename: (from, to) =>
      set(({ tabs, recent, beside }) => {
        const now = (path: ProjectPath) => (isUnder(path, from) ? movedPath(path, from, to) : path);
        return {
          tabs: tabs.map((tab) => ({ ...tab, path: now(tab.path) })),
          recent: recent.map(now),
          beside: beside && now(beside),
        };
      }),
    showBeside: (beside) => set({ beside }),
    setEdited: (path, is) =>
      set((state) => {
        if (state.edited.has(path) === is) return state;
        const edited = new Set(state.edited);
        if (is) edited.add(path);
        else edited.delete(path);
        return { edited };
      }),
  }));
  store.subscribe(({ tabs, recent }, before) => {
    if (tabs === before.tabs && recent === before.recent) return;
    writeSetting(key, JSON.stringify({ tabs: tabs.slice(-MAX_TABS), recent }));
  });
  return store;
}

function read(key: string): Pick<TabsState, "tabs" | "recent"> {
  try {
    const stored = JSON.parse(readSetting(key) ?? "{}") as Partial<TabsState>;
    const tabs = (stored.tabs ?? [])
      .filter((tab) => typeof tab.path === "string")
      .map((tab) => ({ path: tab.path, kept: tab.kept === true }));
    const open = new Set(tabs.map((tab) => tab.path));
    return { tabs, recent: (stored.recent ?? []).filter((path) => open.has(path)) };
  } catch {
    return { tabs: [], recent: [] };
  }
}
