/** A definition in a file, as its outline shows it. */
export interface Definition {
  /** From 1. */
  line: number;
  /** 0 at the top level; a method of a top-level class has 1. */
  depth: number;
  /** The head on one line: `export function App({ items }: Props)`. */
  text: string;
}

/** The definitions in a file. */
export type Outline =
  | {
      ok: true;
      definitions: Definition[];
      /** The first line with a syntax error; definitions after it may be missing. */
      brokenAt?: number;
    }
  /** The reason, as a sentence without a full stop. */
  | { ok: false; why: string };
