import { offThread } from "@treadle/parsing";
import type { parse } from "./written-functions.parser.ts";

/** Time limit for one file, in milliseconds. */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./written-functions.parser.ts", {
  limitMs: LIMIT_MS,
});

/** A function in a source file. Lines count from 1, columns from 0. */
export interface WrittenFunction {
  /** Its usual name; undefined for a short callback without one. */
  name: string | undefined;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** Index of the enclosing function in the list; absent at the top level. */
  parent?: number;
  /** Whether it only runs after an error. */
  isErrorHandler?: true;
}

/** The parsed contents of a source file. */
export interface WrittenCode {
  functions: WrittenFunction[];
  /** Lines that run whenever the file is loaded and prove nothing: imports, re-exports, types, blank lines. */
  silentLines: ReadonlySet<number>;
  /** The specifiers of its `import`, `export … from` and `require`. */
  imports: string[];
}

/** Whether the file's code can be parsed, by its name. */
export const isCodeFile = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** Parses a source file; undefined if it is too long or takes too long. */
export const readWrittenCode = (path: string, text: string): Promise<WrittenCode | undefined> =>
  parseOffThread({ lane: "outlines" }, path, text).catch(() => undefined);
