import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "./arguments/read-arguments.ts";
import { EXIT } from "./exit-status.ts";
import { jsonLine } from "./json-line.ts";
import { placeFile, removeFile } from "./place-file.ts";
import { parseAnswer } from "./parse-answer.ts";
import { plain } from "./plain.ts";

/**
 * `treadle parse`: a saved model answer to events, one JSON line each, or with `--dir` to files.
 * Reads as a stream, so that the answer's size does not matter, and as a run reads it. Actions that never closed are
 * reported and not written.
 */
export async function parse(command: Extract<Command, { kind: "parse" }>): Promise<number> {
  const changes: { path: string; content: string | undefined }[] = [];
  const say = (sentence: string) => void process.stderr.write(`${plain(sentence)}\n`);
  let unfinished = 0;
  let refused = 0;
  const refuse = (sentence: string) => {
    refused++;
    say(sentence);
  };
  const reader = parseAnswer(command, {
    event(event) {
      if (command.json || !command.dir) process.stdout.write(jsonLine(event));
    },
    changed: (path, content) => void changes.push({ path, content }),
    cut: () => void unfinished++,
    wrong: (sentence) => command.dir !== undefined && refuse(sentence),
    odd: say,
  });

  const input =
    command.file === undefined || command.file === "-"
      ? process.stdin.setEncoding("utf8")
      : createReadStream(command.file, "utf8");
  try {
    for await (const chunk of input) reader.write(chunk as string);
  } catch (error) {
    say(`${command.file} cannot be read: ${(error as Error).message}`);
    return EXIT.usage;
  }
  reader.end();
  if (unfinished > 0) say(`${unfinished} file(s) were cut off and left out.`);
  if (command.dir === undefined) return 0;

  const target = resolve(command.dir);
  for (const { path, content } of changes) {
    const problem =
      content === undefined
        ? await removeFile(target, path)
        : await placeFile(target, { path, content });
    const shown = JSON.stringify(path);
    if (problem === undefined) say(`${content === undefined ? "deleted" : "wrote"} ${shown}`);
    else refuse(`refused ${shown}: ${problem}`);
  }
  return refused > 0 ? EXIT.failed : 0;
}
