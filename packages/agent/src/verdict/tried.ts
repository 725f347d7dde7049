import { findTool } from "../tools/all-tools.ts";
import { clipLine } from "../text/clip.ts";
import type { Run } from "../loop/state.ts";
import type { StepRecord } from "../answer/step-record.ts";

/** Calls of one try that are named; characters of all tries. */
const NAMED = 3;
const WORDS = 400;

/** Remembers what a step changed or ran for the repair that goes on, for the words at the end. */
export function noteTried(run: Run, { calls }: StepRecord): void {
  const now = run.tried?.at(-1);
  if (!now) return;
  for (const { tool, outcome } of calls)
    if (outcome?.status === "ok" && (findTool(tool)?.changes || findTool(tool)?.commands))
      now.push(outcome.title);
}

/** What was tried, in the order in which it was: a sentence for the person, or nothing where nothing was. */
export function triedWords({ tried = [] }: Run): string {
  if (tried.length === 0) return "";
  const words = tried.map((titles, index) => {
    const more = titles.length > NAMED ? ` and ${titles.length - NAMED} more` : "";
    const done = titles.length === 0 ? "changed nothing" : titles.slice(0, NAMED).join(", ");
    return `${index + 1}. ${done}${more}`;
  });
  return ` Tried: ${clipLine(words.join("; "), WORDS)}.`;
}
