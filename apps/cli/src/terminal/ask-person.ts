import { createInterface } from "node:readline/promises";
import type { ApprovalQuestion, Question } from "@treadle/protocol";
import { isForeignTool } from "@treadle/protocol/tools";
import type { ProjectService } from "@treadle/server";
import { visibleExactly } from "@treadle/protocol/safe-text";
import { plain } from "./plain.ts";

type Given = Parameters<ProjectService["answer"]>[2];

/** Asks for a line; undefined if the input has ended. */
type Ask = (text: string) => Promise<string | undefined>;

/**
 * Number of lines of an instruction file that are shown at first; all of them are shown before it
 * is allowed.
 */
const SHOWN_LINES = 20;

/** Where a user reads and types. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks the user at the terminal the run's question.
 * @param signal aborted if the user or a limit ends the run meanwhile
 * @returns undefined if nobody answers because the input has ended
 */
export async function askPerson(
  question: Question,
  { input, output }: Terminal,
  signal: AbortSignal,
): Promise<Given | undefined> {
  const terminal = createInterface({ input, terminal: false, signal });
  // `question` would lose lines that were typed before it was called.
  const lines = terminal[Symbol.asyncIterator]();
  const ask: Ask = async (text) => {
    output.write(text);
    const { done, value } = await lines.next();
    return done ? undefined : value.trim();
  };
  try {
    if (question.kind === "approval") return await askLeave(question, ask, output);
    const { choices } = question;
    for (const [index, choice] of choices.entries())
      output.write(`    ${index + 1}  ${plain(choice)}\n`);
    const answer = await ask(choices.length > 0 ? "  A number, or your own words: " : "  > ");
    if (answer === undefined) return undefined;
    return { kind: "words", text: (/^\d+$/.test(answer) && choices[Number(answer) - 1]) || answer };
  } finally {
    terminal.close();
  }
}

/** Asks whether to continue; Enter alone means yes, an ended input means no. */
export async function askToGoOn(text: string, { input, output }: Terminal): Promise<boolean> {
  const terminal = createInterface({ input, terminal: false });
  try {
    output.write(`${plain(text)} Go on? [Y/n] `);
    const { done, value } = await terminal[Symbol.asyncIterator]().next();
    return !done && /^(?:y|yes|)$/i.test(value.trim());
  } finally {
    terminal.close();
  }
}

async function askLeave(
  question: ApprovalQuestion,
  ask: Ask,
  output: NodeJS.WritableStream,
): Promise<Given | undefined> {
  /** The lines that were not shown yet, per file. */
  const rest: { path: string; lines: string[] }[] = [];
  const show = (lines: readonly string[]) => {
    for (const line of lines) output.write(`    | ${line}\n`);
  };
  for (const { path, text } of question.shown ?? []) {
    const lines = visibleExactly(text).split("\n");
    output.write(`    ${visibleExactly(path)}\n`);
    show(lines.slice(0, SHOWN_LINES));
    if (lines.length <= SHOWN_LINES) continue;
    rest.push({ path, lines: lines.slice(SHOWN_LINES) });
    output.write(`    … ${lines.length - SHOWN_LINES} more lines\n`);
  }
  const foreign = isForeignTool(question.tool);
  if (foreign)
    for (const what of question.subject.what.slice(2))
      output.write(`    ${visibleExactly(what)}\n`);
  const always = question.mayRemember ? ", a: always in this project" : "";
  for (;;) {
    const answer = await ask(`  Allow it? y: yes${always}, n: no, or say what to do instead: `);
    if (answer === undefined) return undefined;
    const approve = { kind: "approve", digest: question.digest } as const;
    const allows = /^(?:y|yes|a|always)$/i.test(answer);
    if (allows && rest.length > 0) {
      // Everything must have been shown before it is allowed.
      for (const { path, lines } of rest.splice(0)) {
        output.write(`    ${visibleExactly(path)}, the rest:\n`);
        show(lines);
      }
      continue;
    }
    if (/^(?:y|yes)$/i.test(answer)) return approve;
    if (/^(?:a|always)$/i.test(answer) && question.mayRemember) return { ...approve, always: true };
    if (/^(?:n|no)$/i.test(answer)) return { kind: "deny" };
    // A single letter may be a typing mistake, and Enter alone is not an answer.
    if (answer.length > 1) return { kind: "deny", words: answer };
  }
}
