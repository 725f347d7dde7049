import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  replay as replayTranscript,
  TranscriptError,
  type ReplayDifference,
} from "@treadle/server";
import type { Command } from "./arguments/read-arguments.ts";
import { dataDirectory } from "./folders/data-directory.ts";
import { ensureSandbox } from "./folders/ensure-sandbox.ts";
import { EXIT } from "./terminal/exit-status.ts";
import { jsonLine } from "./terminal/json-line.ts";
import { plain } from "./terminal/plain.ts";

/** `treadle replay FILE`: exits with 0 if the replay is the same, and 1 if not. */
export async function replay(command: Extract<Command, { kind: "replay" }>): Promise<number> {
  const { file, fast, json, write, data, unsafe } = command;
  const print = (sentence: string) => void process.stderr.write(`${plain(sentence)}\n`);
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    print(`${file} cannot be read: ${(error as Error).message}`);
    return EXIT.usage;
  }
  if (!unsafe && !(await ensureSandbox(print))) return EXIT.usage;
  const folder = mkdtempSync(join(tmpdir(), "treadle-replay-"));
  try {
    const report = await replayTranscript(text, {
      dataDirectory: folder,
      sharedDirectory: dataDirectory(data, process.env),
      unsafeNoSandbox: unsafe,
      env: process.env,
      onNotice: print,
      withRecordedWork: fast,
      onTurn: (turn, total) => {
        if (!json) print(`Turn ${turn} of ${total}`);
      },
    });
    const { differences, recordedWith, turns } = report;
    for (const one of differences)
      process.stdout.write(json ? jsonLine({ type: "difference", ...one }) : shown(one));
    if (json)
      process.stdout.write(
        jsonLine({ type: "result", alike: differences.length === 0, turns, recordedWith }),
      );
    else process.stdout.write(`${summary(differences, turns)}\n`);
    if (write !== undefined) writeFileSync(write, [...report.lines()].join(""));
    return differences.length === 0 ? 0 : EXIT.failed;
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    print(error.message);
    return EXIT.usage;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Maximum number of shown lines of a difference; `--json` has all. */
const SHOWN_LINES = 60;

function shown({ turn, kind, where, diff }: ReplayDifference): string {
  const lines = diff.trimEnd().split("\n");
  const more = lines.length - SHOWN_LINES;
  const rest = more > 0 ? [`… ${more} more lines`] : [];
  const text = [...lines.slice(0, SHOWN_LINES), ...rest].map((line) => `  ${plain(line)}\n`);
  return `turn ${turn}, ${kind} (${plain(where)})\n${text.join("")}\n`;
}

function summary(differences: readonly ReplayDifference[], turns: number): string {
  const count = `${turns} ${turns === 1 ? "turn" : "turns"}`;
  if (differences.length === 0) return `${count}: alike.`;
  const kinds = [...new Set(differences.map(({ kind }) => kind))].join(", ");
  return `${count}: ${differences.length} ${differences.length === 1 ? "difference" : "differences"} (${kinds}).`;
}
