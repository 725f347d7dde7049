import { parseChecks, STEP_FORMS, type CheckProblem } from "@treadle/protocol/checks";
import { words } from "../words/words.ts";

/** A problem in a checks file, as a range of characters. */
export interface CheckMark {
  from: number;
  to: number;
  message: string;
}

/** The problems in the text of a checks file, with their positions. */
export function checkMarks(text: string): CheckMark[] {
  const lines = linesOf(text);
  return parseChecks(text).problems.map((problem) => {
    const { from, content } = lines[lineOf(problem, lines)] ?? { from: 0, content: "" };
    // Excludes the marker of the list item or heading.
    const start = /^\s*(?:[-*+]|\d+[.)]|#+)?\s*/.exec(content)![0].length;
    const end = from + content.trimEnd().length;
    return { from: Math.min(from + start, end), to: end, message: messageOf(problem) };
  });
}

/** Example steps that can start a list item. */
export const stepExamples = (): readonly string[] =>
  STEP_FORMS.flatMap(({ examples: [first] }) => [first]);

/** The text of a step before the cursor, if the line is a list item of a check; undefined otherwise. */
export const typedStep = (line: string): string | undefined =>
  /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)?.[1];

/** Converts an example to a snippet in which each quoted text is a field. */
export const templateOf = (example: string): string =>
  example.replace(/[{}]/g, "\\$&").replace(/"([^"]*)"/g, (_, text: string) => `"\${${text}}"`);

interface Line {
  from: number;
  content: string;
}

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split("\n").map((content) => {
    const line = { from, content };
    from += content.length + 1;
    return line;
  });
}

/** Index of the line that a problem is about; if the problem has no line, that of a heading, or else 0. */
function lineOf(problem: CheckProblem, lines: readonly Line[]): number {
  if ("line" in problem && problem.line !== undefined) return problem.line - 1;
  const headings = lines.flatMap(({ content }, index) =>
    /^\s*##+\s/.test(content) ? [index] : [],
  );
  if (problem.code === "no-steps")
    return headings.find((index) => lines[index]!.content.includes(problem.name)) ?? 0;
  return headings.at(-1) ?? 0;
}

function messageOf(problem: CheckProblem): string {
  const messages = words.editor.checkProblems;
  switch (problem.code) {
    case "too-many-checks":
    case "too-many-steps":
    case "too-many-persons":
    case "too-long":
      return messages[problem.code]({ most: problem.most });
    case "unknown-role":
      return messages["unknown-role"]({ role: problem.role, nearest: problem.nearest });
    case "unknown-form":
      return messages["unknown-form"]({ nearest: problem.nearest });
    default:
      return messages[problem.code];
  }
}
