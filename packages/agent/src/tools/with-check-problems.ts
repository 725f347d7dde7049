import { CHECKS_FILE, parseChecks, problemWords, stepExamples } from "@treadle/protocol/checks";
import type { ToolOutcome } from "./tool.ts";

/** Maximum number of problems that are named. */
const NAMED = 10;

/**
 * Adds the parse errors of a written checks file to the result, so that they are not first noticed
 * when the checks run.
 * @param text the written text
 */
export function withCheckProblems(path: string, text: string, outcome: ToolOutcome): ToolOutcome {
  if (path !== CHECKS_FILE) return outcome;
  const { problems } = parseChecks(text);
  if (problems.length === 0) return { ...outcome, needsMending: false };
  const named = problems.slice(0, NAMED).map((problem) => `- ${problemWords(problem)}`);
  const more = problems.length > NAMED ? `- and ${problems.length - NAMED} more\n` : "";
  return {
    ...outcome,
    needsMending: true,
    result: `${outcome.result}\nIts checks cannot pass as they are:\n${named.join("\n")}\n${more}Mend them now. Every form of a step, one a line:\n${stepExamples().join("\n")}`,
  };
}
