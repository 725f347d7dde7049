/** Why a line in a file of checks is invalid. */
export type CheckProblem =
  | ({
      line?: number;
      /** The check of the line; absent: all of them, or none yet. */
      check?: string;
    } & StepProblem)
  | { code: "no-steps"; name: string }
  /** A step below a heading that begins no check, such as `## Starts empty`. */
  | { code: "no-check"; line: number; words: string }
  | { code: "too-many-checks"; count: number; most: number }
  | { code: "too-many-steps"; line: number; most: number }
  | { code: "too-many-persons"; line: number; most: number };

/** Why a text is no step. `words` is the text, shortened. */
export type StepProblem =
  | { code: "too-long"; words: string; most: number }
  | { code: "open-quote"; words: string }
  | { code: "unknown-role"; words: string; role: string; nearest: string }
  | { code: "not-first"; words: string }
  | {
      code: "unknown-form";
      words: string;
      /** An example of the most similar form. */
      nearest: string;
    };

/** Whether a problem removed a step from the check of this name, so that the rest is not the check as written. */
export const lacksStep = (problem: CheckProblem, name: string): boolean =>
  "words" in problem && problem.code !== "no-check" && (problem.check ?? name) === name;

/** Describes a problem in a sentence, for models and the command line; does not list the forms. */
export function problemWords(problem: CheckProblem): string {
  const line = "line" in problem && problem.line !== undefined ? `line ${problem.line}: ` : "";
  return `${line}${sentence(problem)}`;
}

function sentence(problem: CheckProblem): string {
  switch (problem.code) {
    case "no-steps":
      return `the check “${problem.name}” has no steps`;
    case "no-check":
      return `“${problem.words}” belongs to no check: \`## Starts empty\` holds for all of them, and has no steps`;
    case "too-many-checks":
      return `${problem.count} checks; ${problem.most} is the most`;
    case "too-many-steps":
      return `a check has ${problem.most} steps at most`;
    case "too-many-persons":
      return `a check has ${problem.most} persons at most`;
    case "too-long":
      return `“${problem.words}…” is too long: a step has ${problem.most.toLocaleString("en")} characters at most`;
    case "open-quote":
      return `“${problem.words}” is no step: a quotation mark is not closed (\\" is one within a text)`;
    case "unknown-role":
      return `“${problem.words}” is no step: “${problem.role}” is no role. Nearest: ${problem.nearest}`;
    case "not-first":
      return `“${problem.words}” stands too late: the day is set before anything is done, and time goes on from there (the next day comes a minute after \`on … at 23:59\`: six times \`wait 10 seconds\`)`;
    case "unknown-form":
      return `“${problem.words}” is no step. Nearest: ${problem.nearest} (what has other words in it stands in quotes, and a quote in it is \\")`;
  }
}
