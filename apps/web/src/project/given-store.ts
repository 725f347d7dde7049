import { create } from "zustand";

/** Files that something else of the page puts into the message that is being written; `count` grows with each time. */
export const useGiven = create<{ files: readonly File[]; count: number }>(() => ({
  files: [],
  count: 0,
}));

/** Puts files into the message that is being written, to be sent with it. */
export const giveForPerson = (files: readonly File[]): void =>
  useGiven.setState(({ count }) => ({ files, count: count + 1 }));
