import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createArtifactParser, createToolTagParser } from "@treadle/protocol";
import type { Command } from "./arguments.ts";
import { CLINE_TOOLS } from "./cline-tools.ts";
import { EXIT } from "./exit-status.ts";
import { placeFile } from "./place-file.ts";

interface ParsedFile {
  path: string;
  content: string;
}

/**
 * `treadle parse`: a saved model answer to events, one JSON line each, or with `--dir` to files.
 * Reads as a stream, so that the answer's size does not matter. Actions that never closed are reported and not written.
 */
export async function parse(command: Extract<Command, { kind: "parse" }>): Promise<number> {
  const files: ParsedFile[] = [];
  let unfinished = 0;
  let refused = 0;
  const refuse = (sentence: string) => {
    refused++;
    process.stderr.write(`${sentence}\n`);
  };
  const show = (event: { type: string }) => {
    if (command.json || !command.dir) process.stdout.write(`${JSON.stringify(event)}\n`);
  };
  const parser =
    command.dialect === "artifact"
      ? createArtifactParser({
          onEvent(event) {
            show(event);
            if (event.type === "error" && command.dir) refuse(event.message);
            if (event.type !== "action-close" || event.actionType !== "file") return;
            if (!event.complete) unfinished++;
            else if (event.filePath) files.push({ path: event.filePath, content: event.content });
          },
        })
      : createToolTagParser({
          tools: CLINE_TOOLS,
          onEvent(event) {
            show(event);
            if (event.type === "error" && command.dir) refuse(event.message);
            if (event.type !== "tool-close" || event.name !== "write_to_file") return;
            const { path, content } = event.params;
            if (!event.complete) unfinished++;
            else if (path !== undefined && content !== undefined) files.push({ path, content });
          },
        });

  const input =
    command.file === undefined || command.file === "-"
      ? process.stdin.setEncoding("utf8")
      : createReadStream(command.file, "utf8");
  try {
    for await (const chunk of input) parser.write(chunk as string);
  } catch (error) {
    process.stderr.write(`${command.file} cannot be read: ${(error as Error).message}\n`);
    return EXIT.usage;
  }
  parser.end();
  if (unfinished > 0)
    process.stderr.write(`${unfinished} file(s) were cut off before their end and left out.\n`);
  if (command.dir === undefined) return 0;

  const target = resolve(command.dir);
  for (const file of files) {
    const problem = await placeFile(target, file);
    if (problem === undefined) process.stderr.write(`wrote ${JSON.stringify(file.path)}\n`);
    else refuse(`refused ${JSON.stringify(file.path)}: ${problem}`);
  }
  return refused > 0 ? EXIT.failed : 0;
}
