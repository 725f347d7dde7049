import { sentence } from "@treadle/protocol/sentences";
import { migrate } from "@treadle/agent";
import type { Workspace } from "@treadle/workspace";
import { ReleaseFailure } from "./release-failure.ts";

/**
 * Runs the migrations that have not run on a release's own database. Makes no copy: the previous
 * release keeps its data unchanged.
 * @param how.file path of the app's SQLite database, if not the usual one
 * @param how.onRun called if there may be migrations to run
 * @throws ReleaseFailure with the SQL error, its file and its line
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
