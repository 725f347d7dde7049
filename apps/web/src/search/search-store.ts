import { create } from "zustand";
import type { Found } from "../language/go-to.ts";
import { EMPTY_QUERY, type Query } from "./line-match.ts";
import type { Replaced } from "./replace-in-files.ts";

/** A replacement, or its undoing, that goes on. */
export interface Going {
  /** Files that are done with, of how many. */
  done: number;
  total: number;
  stop(): void;
  /** The files as they were before it: what it changes is looked for again at its end. */
  seq: number;
}

/** The last replacement of a project. It outlives its pane: who looks at something else meanwhile can still take it back. */
interface Replacement {
  project: string;
  going?: Going | undefined;
  done?: Replaced | undefined;
}

interface Search {
  /** It stands in the place of the tree. */
  shown: boolean;
  query: Query;
  /** What it is replaced with; undefined: nothing is replaced. */
  to: string | undefined;
  /** Places that were asked for, in place of what is looked for: the uses of a word, the names of a file. */
  uses: { title: string; word: string; found: readonly Found[] } | undefined;
  replacement: Replacement | undefined;
  /** Changes with each time that the person asks for it: the field has the focus then. */
  asked: number;
}

interface SearchActions {
  /** @param text what is looked for first: the words that are selected */
  open(text?: string, replace?: boolean): void;
  close(): void;
  change(query: Partial<Query>): void;
  setTo(to: string | undefined): void;
  setReplacement(replacement: Replacement): void;
  showUses(title: string, word: string, found: readonly Found[]): void;
}

/** What is looked for in all files of the open project. */
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
