import { sentence } from "@treadle/protocol/sentences";
import { migrate } from "@treadle/agent";
import type { Workspace } from "@treadle/workspace";
import { ReleaseFailure } from "./release-failure.ts";

/**
 * Runs the migrations that have not run on a release's own database. No copy is made beforehand: the release before keeps
 * its data as it is.
 * @param how.file the app's SQLite database, where the preview has it elsewhere than apps usually do
 * @param how.onRun is told that there are such that may have to be run
 * @throws ReleaseFailure with SQL's words, and their file and line
 */
export async function migrateRelease(
  workspace: Workspace,
  how: { signal: AbortSignal; file: string | undefined; onRun?: () => void },
): Promise<void> {
  const migration = await migrate(workspace, { seed: false, copy: false, ...how });
  if (migration.kind !== "failed") return;
  const [first = ""] = migration.output.split("\n").filter((line) => !line.startsWith("Ran "));
  throw new ReleaseFailure(sentence("release-migration-failed", { why: first }), migration.output);
}
