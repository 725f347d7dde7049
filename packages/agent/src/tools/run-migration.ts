import type { ProjectPath } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { isMigration, migrate } from "../project/migrations.ts";
import { refused, type ToolContext, type ToolOutcome } from "./tool.ts";

/**
 * Runs a newly written migration on the preview's database at once, and adds the outcome to the
 * call's result.
 */
export async function withMigration(
  path: ProjectPath,
  written: ToolOutcome,
  { workspace, signal }: ToolContext,
): Promise<ToolOutcome> {
  if (!isMigration(path)) return written;
  const migration = await migrate(workspace, { seed: true, signal });
  if (migration.kind === "none") return written;
  return migration.kind === "ran"
    ? { ...written, result: `${written.result}\n${migration.output}` }
    : {
        ...refused(sentence("migration-not", { path }), `${written.result}\n${migration.output}`),
        lines: written.lines,
      };
}
