import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../types.ts";

/** Milliseconds for a sandbox to recover after an attack. */
const BACK_MS = 20_000;

/**
 * Returns "well" and a line break as soon as the workspace runs a command again, or another text
 * after `BACK_MS`.
 */
export async function well(workspace: Workspace): Promise<string> {
  const end = performance.now() + BACK_MS;
  while (performance.now() < end) {
    const exit = await workspace.run("echo well", { timeoutMs: 5_000 }).catch(() => undefined);
    if (exit?.output === "well\n") return "well\n";
    await sleep(100);
  }
  return "it did not come back\n";
}
