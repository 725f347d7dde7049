import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../types.ts";

/** Milliseconds for a sandbox to recover after an attack. */
const BACK_MS = 20_000;

/** Whether the workspace answers again. */
export async function well(workspace: Workspace): Promise<string> {
  const end = performance.now() + BACK_MS;
  while (performance.now() < end) {
    const exit = await workspace.run("echo well", { timeoutMs: 5_000 }).catch(() => undefined);
    if (exit?.output === "well\n") return "well\n";
    await sleep(100);
  }
  return "it did not come back\n";
}
