import type { ProjectPath } from "@treadle/protocol";
import type { FileDifference } from "@treadle/workspace";
import { isCodeFile } from "./written-code.ts";

/** The line numbers, from 1, of each file that were written since a given moment. */
export type ChangedLines = ReadonlyMap<ProjectPath, ReadonlySet<number>>;

/** Files without executable code, for which neither browser nor server reports coverage: texts, settings, checks. */
const TELLS_NOTHING =
  /\.(?:md|txt|lock|gitignore)$|(?:^|\/)(?:\.[^/]+|package(?:-lock)?\.json|tsconfig[^/]*\.json)(?:\/|$)/;
/** Configuration of tools and tests, which never runs in a visitor's page. */
const NOT_OF_THE_APP =
  /(?:^|\/)[^/]+\.(?:config|test|spec|stories)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|e2e)\//;

/** The code that a turn wrote, as far as its execution can be observed. */
export interface TurnCode {
  /** Changed lines, in files whose functions can be parsed. */
  lines: ChangedLines;
  /** Whether the turn also wrote files whose use cannot be observed: styles, pages, other languages. */
  isMixed: boolean;
}

/** Selects the changed lines that are code. */
export function codeOf(differences: readonly FileDifference[]): TurnCode {
  const lines = new Map<ProjectPath, ReadonlySet<number>>();
  let isMixed = false;
  for (const { path, kind, diff, binary, cut } of differences) {
    if (kind === "removed" || TELLS_NOTHING.test(path) || NOT_OF_THE_APP.test(path)) continue;
    if (isCodeFile(path) && !binary && !cut) {
      const written = addedLines(diff);
      if (written.size > 0) lines.set(path, written);
    } else isMixed = true;
  }
  return { lines, isMixed };
}

/** The line numbers, in the new file, of the lines that a unified diff adds. */
export function addedLines(diff: string): Set<number> {
  const added = new Set<number>();
  let line = 0;
  for (const text of diff.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk) line = Number(hunk[1]);
    else if (text.startsWith("+")) added.add(line++);
    else if (text.startsWith(" ")) line++;
  }
  return added;
}
