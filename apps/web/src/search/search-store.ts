import { create } from "zustand";
import type { Found } from "../language/go-to.ts";
import { EMPTY_QUERY, type Query } from "./line-match.ts";

interface Search {
  /** It stands in the place of the tree. */
  shown: boolean;
  query: Query;
  /** What it is replaced with; undefined: nothing is replaced. */
  to: string | undefined;
  /** Places that were asked for, in place of what is looked for: the uses of a word, the names of a file. */
  uses: { title: string; word: string; found: readonly Found[] } | undefined;
  /** Changes with each time that the person asks for it: the field has the focus then. */
  asked: number;
}

interface SearchActions {
  /** @param text what is looked for first: the words that are selected */
  open(text?: string, replace?: boolean): void;
  close(): void;
  change(query: Partial<Query>): void;
  setTo(to: string | undefined): void;
  showUses(title: string, word: string, found: readonly Found[]): void;
}

/** What is looked for in all files of the open project. */
export const useSearch = create<Search & SearchActions>((set) => ({
  shown: false,
  query: EMPTY_QUERY,
  to: undefined,
  uses: undefined,
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
  showUses: (title, word, found) => set({ shown: true, uses: { title, word, found } }),
}));
