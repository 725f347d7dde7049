import { create } from "zustand";

/** Words that something else of the page puts into the composer: `count` grows with each, the same words among them. */
export const useTyped = create<{ words: string; count: number }>(() => ({ words: "", count: 0 }));

/** Puts words into the composer, after what stands there, to be changed and sent. */
export const typeForPerson = (words: string): void =>
  useTyped.setState(({ count }) => ({ words, count: count + 1 }));
