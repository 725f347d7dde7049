import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Workspace, WorkspaceErrorCode } from "../types.ts";

/** Milliseconds after which waiting is given up; less than a test's time limit. */
const PATIENCE_MS = 60_000;

/** Polls every 20 ms until the condition holds. Rejects after `PATIENCE_MS`. */
export async function eventually<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (performance.now() > end) throw new Error("it never came");
    await sleep(20);
  }
}

/** Whether a process has this command line, with each argument terminated by NUL. */
export function runsOnThisMachine(commandLine: string): boolean {
  return readdirSync("/proc").some((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1") === commandLine;
    } catch {
      return false;
    }
  });
}

export async function codeOf(promise: Promise<unknown>): Promise<WorkspaceErrorCode | "none"> {
  try {
    await promise;
    return "none";
  } catch (error) {
    expect((error as Error).name, String(error)).toBe("WorkspaceError");
    return (error as { code: WorkspaceErrorCode }).code;
  }
}

/** A command that serves a fixed text. */
export const SERVER = (port: number, body = "up") =>
  `node -e 'require("http").createServer((q,s)=>s.end(${JSON.stringify(body)})).listen(${port},"127.0.0.1")'`;

/** The response of a server inside to one request, headers included. */
export async function get(workspace: Workspace, port: number, path = "/"): Promise<string> {
  const stream = await workspace.connect(port);
  stream.write(`GET ${path} HTTP/1.0\r\nhost: localhost\r\n\r\n`);
  let text = "";
  for await (const piece of stream) text += String(piece);
  // The sending side is still open, and the number of connections is limited.
  stream.destroy();
  return text;
}
