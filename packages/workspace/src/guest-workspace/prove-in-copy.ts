import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Exit, RunOptions } from "../types.ts";
import { awaitCommand, type RunningCommand } from "./commands.ts";

/**
 * Implements `prove` where nothing can be mounted: in a temporary copy of the project and its
 * dependencies. Slower than a layer by the time of the copy, and the command sees a different path.
 */
export async function proveInCopy(
  settings: {
    stateDirectory: string;
    start(command: string, env: Record<string, string>): Promise<RunningCommand>;
  },
  command: string,
  options: RunOptions,
): Promise<Exit> {
  const copy = mkdtempSync(join(settings.stateDirectory, "prove-"));
  try {
    const script =
      'cp -a . "$TREADLE_COPY/" && cd "$TREADLE_COPY" && exec bash -c "$TREADLE_COMMAND"';
    const env = { CI: "1", ...options.env, TREADLE_COPY: copy, TREADLE_COMMAND: command };
    // Not adopted as a server: a proof has to end.
    return (await awaitCommand(await settings.start(script, env), options)) as Exit;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
