import type { ProjectPath } from "@treadle/protocol";
import type { FileDifference } from "@treadle/workspace";
import { isCodeFile } from "./written-code.ts";

/** Lines of each file that were written since a moment, counted from 1. */
export type ChangedLines = ReadonlyMap<ProjectPath, ReadonlySet<number>>;

/** Files beside code, of which no browser and no server says what ran, and that make nothing: words, settings, checks. */
const TELLS_NOTHING =
  /\.(?:md|txt|lock|gitignore)$|(?:^|\/)(?:\.[^/]+|package(?:-lock)?\.json|tsconfig[^/]*\.json)(?:\/|$)/;
/** Settings of tools and tests, which no visitor's page runs. */
const NOT_OF_THE_APP =
  /(?:^|\/)[^/]+\.(?:config|test|spec|stories)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|e2e)\//;

/** Code that a turn wrote, as far as what ran of it can be known. */
export interface TurnCode {
  /** Of files whose functions are read. */
  lines: ChangedLines;
  /** It wrote something else as well, of which nobody knows whether it was used: styles, pages, other languages. */
  isMixed: boolean;
}

/** Which of what differs is code, by lines. */
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

/** Lines of the new file that unified hunks add. */
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
