/** Attacks by a program in place of the browser on its driver in this process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Attempt, AttemptResult } from "@treadle/workspace";
import { MESSAGE_BYTES } from "./pipe-guard.ts";

/** Time limit for ending such a browser, in milliseconds. */
const GONE_MS = 60_000;

const says = (message: string) => `printf '%s\\0' '${message}' >&4; sleep 600`;

const ATTEMPTS: { what: string; commands: string[] }[] = [
  {
    what: "to end the server by words on its pipe that are no message",
    commands: [
      "no message",
      "",
      "{",
      "null",
      "5",
      "[]",
      "{}",
      '"x"',
      '{"id":"1"}',
      '{"id":1.5}',
      '{"method":5}',
      '{"method":"a","params":5}',
      '{"method":"a","sessionId":{}}',
      '{"id":1,"sessionId":5}',
      "[".repeat(20_000),
    ].map(says),
  },
  {
    what: "the server's memory, by a message without end",
    commands: ["yes xxxxxxxxxxxxxxxx | tr -d '\\n' >&4; sleep 600"],
  },
];

/**
 * Lets the sandboxed program send each attack to a driver.
 * @param script starts the sandbox
 * @param executable the path in it, which is overwritten
 */
export async function attackByPipe({
  script,
  executable,
  onResult,
}: {
  script: string;
  executable: string;
  onResult(attempt: Pick<Attempt, "id" | "area" | "what">, result: AttemptResult): void;
}): Promise<void> {
  for (const { what, commands } of ATTEMPTS) {
    let output = "";
    for (const command of commands) {
      await writeFile(executable, `#!/bin/bash\n${command}\n`, { mode: 0o755 });
      output += await receive(script);
    }
    const outcome = output === "" ? "held" : "through";
    onResult({ id: "A99", area: "taken", what }, { outcome, output });
  }
}

/** What reached the driver although it must not; empty if nothing did and the browser was ended. */
async function receive(script: string): Promise<string> {
  const child = spawn(script, [], {
    env: {},
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  let bytes = 0;
  let output = "";
  const ended = once(child, "close");
  (child.stdio[4] as Readable).on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (output.length < 200) output += piece.toString("latin1");
    if (bytes > 2 * MESSAGE_BYTES) child.kill("SIGKILL");
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, GONE_MS);
  await ended;
  clearTimeout(timer);
  if (bytes > 0) return `${bytes} bytes came: ${output.slice(0, 100)}\n`;
  return late ? "it was not ended\n" : "";
}
