import { create } from "zustand";

/** Files that another part of the page attaches to the message being written; `count` increases each time. */
export const useInsertedFiles = create<{ files: readonly File[]; count: number }>(() => ({
  files: [],
  count: 0,
}));

/** Attaches files to the message being written. */
export const insertFiles = (files: readonly File[]): void =>
  useInsertedFiles.setState(({ count }) => ({ files, count: count + 1 }));
