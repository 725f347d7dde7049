import { toProjectPath } from "@treadle/protocol/project-path";
import { meansPostgres } from "../../project/means-postgres.ts";
import { postgresRefused } from "../../project/postgres-refused.ts";
import { readText } from "../../project/project-files.ts";
import type { Observation } from "../observation.ts";

/**
 * Detects that the app did not reach the PostgreSQL server that it is configured for: by its server's output or, if the sandbox
 * has no database server at all, by its files.
 * @param printed the server's output during the observation
 */
export async function observePostgres(
  { workspace, finding }: Observation,
  printed: string,
): Promise<void> {
  const refused = postgresRefused(printed);
  if (refused) return finding(refused);
  if (workspace.hasSockets !== false) return;
  const { files } = await workspace.files.list();
  const paths = files.flatMap(({ kind, path }) => (kind === "file" ? [path] : []));
  if (await meansPostgres(paths, (path) => readText(workspace, toProjectPath(path))))
    finding({ code: "no-postgres-in-tab", subject: "PostgreSQL" });
}
