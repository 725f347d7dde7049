import { offThread } from "@treadle/parsing";
import type { parse } from "./written-functions.parser.ts";

/** Milliseconds for one file. */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./written-functions.parser.ts", {
  limitMs: LIMIT_MS,
});

/** A function as it stands in a source file. Lines count from 1, columns from 0. */
export interface WrittenFunction {
  /** What people call it; undefined for a short callback that nothing names. */
  name: string | undefined;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** Place of the function around it in the list; absent: it stands in the module itself. */
  parent?: number;
  /** It only runs when something goes wrong. */
  isErrorHandler?: true;
}

/** What stands in a source file. */
export interface WrittenCode {
  functions: WrittenFunction[];
  /** Lines that are run whenever the file is loaded and tell nothing: imports, exports of others, types, blank ones. */
  silentLines: ReadonlySet<number>;
  /** What it brings in, as it names it: by `import`, `export … from` and `require`. */
  imports: string[];
}

/** Whether the code of a file is read here, by its name. */
export const isCodeFile = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** What stands in a source file; undefined where it is too long, or takes too long, to be read. */
export const readWrittenCode = (path: string, text: string): Promise<WrittenCode | undefined> =>
  parseOffThread({ lane: "outlines" }, path, text).catch(() => undefined);
