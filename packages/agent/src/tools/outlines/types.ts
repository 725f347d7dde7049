/** A definition in a file, as its outline shows it. */
export interface Definition {
  /** From 1. */
  line: number;
  /** 0 for what stands at the top; a method of a class there has 1. */
  depth: number;
  /** Its head as it is written, on one line: `export function App({ items }: Props)`. */
  text: string;
}

/** What a file defines. */
export type Outline =
  | {
      ok: true;
      definitions: Definition[];
      /** The first line that could not be understood; what follows it may lack. */
      brokenAt?: number;
    }
  /** Why there is none, as a sentence without a final stop. */
  | { ok: false; why: string };
