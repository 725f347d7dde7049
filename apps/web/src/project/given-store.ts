import { create } from "zustand";

/** Files that another part of the page attaches to the message being written; `count` increases each time. */
export const useGiven = create<{ files: readonly File[]; count: number }>(() => ({
  files: [],
  count: 0,
}));

/** Attaches files to the message being written. */
export const giveForPerson = (files: readonly File[]): void =>
  useGiven.setState(({ count }) => ({ files, count: count + 1 }));
