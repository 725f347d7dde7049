import { create } from "zustand";

/** Text that another part of the page inserts into the composer; `count` increases each time, even for the same text. */
export const useInsertedText = create<{ words: string; count: number }>(() => ({
  words: "",
  count: 0,
}));

/** Appends text to the composer, to be edited and sent. */
export const insertText = (words: string): void =>
  useInsertedText.setState(({ count }) => ({ words, count: count + 1 }));
