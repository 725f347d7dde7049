import { create } from "zustand";
import type { Found } from "../language/go-to.ts";
import { EMPTY_QUERY, type Query } from "./line-match.ts";
import type { Replaced } from "./replace-in-files.ts";

/** An active replacement or its undo. */
export interface ActiveReplacement {
  /** Number of completed files, and the total. */
  completed: number;
  total: number;
  stop(): void;
  /** Log position before it began; the search runs again at its end. */
  seq: number;
}

/** The project's last replacement. It outlives the pane, so that it can be undone after looking at something else. */
interface Replacement {
  project: string;
  active?: ActiveReplacement | undefined;
  done?: Replaced | undefined;
}

interface Search {
  /** Whether it is shown in place of the tree. */
  shown: boolean;
  query: Query;
  /** The replacement; undefined for a search only. */
  to: string | undefined;
  /** Places to list instead of search results: the uses of a name, or the symbols of a file. */
  uses: { title: string; word: string; found: readonly Found[] } | undefined;
  replacement: Replacement | undefined;
  /** Changes each time that the person opens the search, so that the field takes the focus. */
  asked: number;
}

interface SearchActions {
  /** Shows the search. @param text the initial search text, such as the selected words */
  open(text?: string, replace?: boolean): void;
  close(): void;
  change(query: Partial<Query>): void;
  setTo(to: string | undefined): void;
  setReplacement(replacement: Replacement): void;
  showUses(title: string, word: string, found: readonly Found[]): void;
}

/** The search in all files of the open project. */
export const useSearch = create<Search & SearchActions>((set) => ({
  shown: false,
  query: EMPTY_QUERY,
  to: undefined,
  uses: undefined,
  replacement: undefined,
  asked: 0,
  open: (text, replace = false) =>
    set((state) => ({
      shown: true,
      uses: undefined,
      asked: state.asked + 1,
      query: text === undefined || text === "" ? state.query : { ...state.query, text },
      to: replace ? (state.to ?? "") : state.to,
    })),
  close: () => set({ shown: false, uses: undefined }),
  change: (query) => set((state) => ({ query: { ...state.query, ...query }, uses: undefined })),
  setTo: (to) => set({ to }),
  setReplacement: (next) =>
    set(({ replacement }) => ({
      replacement: replacement?.project === next.project ? { ...replacement, ...next } : next,
    })),
  showUses: (title, word, found) => set({ shown: true, uses: { title, word, found } }),
}));
