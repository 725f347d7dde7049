import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";

/** Milliseconds for the servers to end. */
const END_MS = 30_000;

/** Makes the folder for the data of shared servers, and removes it once they have ended. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-e2e-"));
  project.provide("sharedData", folder);
  return async () => {
    const late = performance.now() + END_MS;
    const pids = readdirSync(folder)
      .filter((name) => name.endsWith(".pid"))
      .map((name) => Number(readFileSync(join(folder, name), "utf8")));
    for (const pid of pids) while (end(pid) && performance.now() < late) await sleep(100);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Asks a process to end. @returns whether it had not ended yet */
function end(pid: number): boolean {
  try {
    return process.kill(pid, "SIGTERM");
  } catch {
    return false;
  }
}
