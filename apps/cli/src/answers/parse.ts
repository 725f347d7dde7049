import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "../arguments/read-arguments.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import type { AnswerChange } from "./apply-answer.ts";
import { parseAnswer } from "./parse-answer.ts";
import { plain } from "../terminal/plain.ts";

const DONE = { write: "wrote", delete: "deleted", edit: "edited" } as const;

/**
 * `treadle parse`: a saved model answer to events, one JSON line each, or with `--dir` to files.
 * Reads as a stream, so that the answer's size does not matter, and as a run reads it. With `--dir`, what is not carried out
 * is reported, and makes the exit code 1: actions that never closed, edits that do not fit, code in prose that is only a part.
 */
export async function parse(command: Extract<Command, { kind: "parse" }>): Promise<number> {
  const changes: AnswerChange[] = [];
  const print = (sentence: string) => void process.stderr.write(`${plain(sentence)}\n`);
  let unfinished = 0;
  let refused = 0;
  const refuse = (sentence: string) => {
    refused++;
    print(sentence);
  };
  const reader = parseAnswer(command, {
    event(event) {
      if (command.json || !command.dir) process.stdout.write(jsonLine(event));
    },
    changed: (change) => void changes.push(change),
    // Commands are never run here, so this is no failure.
    command: (text) => command.dir !== undefined && print(`not run: ${text}`),
    cut: () => void unfinished++,
    wrong: (sentence) => command.dir !== undefined && refuse(sentence),
    odd: print,
  });

  const input =
    command.file === undefined || command.file === "-"
      ? process.stdin.setEncoding("utf8")
      : createReadStream(command.file, "utf8");
  try {
    for await (const chunk of input) reader.write(chunk as string);
  } catch (error) {
    print(`${command.file} cannot be read: ${(error as Error).message}`);
    return EXIT.usage;
  }
  reader.end();
  if (unfinished > 0) print(`${unfinished} file(s) were cut off and left out.`);
  if (command.dir === undefined) return 0;

  const target = resolve(command.dir);
  // Loaded on demand: it needs parsers to compare declarations in files.
  const { applyChange } = await import("./apply-answer.ts");
  for (const change of changes) {
    const problem = await applyChange(target, change);
    const shown = JSON.stringify(change.path);
    if (problem === undefined) print(`${DONE[change.type]} ${shown}`);
    else refuse(`refused ${shown}: ${problem}`);
  }
  return refused > 0 ? EXIT.failed : 0;
}
