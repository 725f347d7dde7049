import { canStart, installMissing, migrate } from "@treadle/agent";
import type { ServerState } from "@treadle/protocol";
import { tailOf } from "@treadle/protocol/safe-text";
import type { Workspace } from "@treadle/workspace";
import type { ProjectContext } from "../project-context/project-context.ts";

/** Maximum characters of the end of a failed install's or migration's output. */
const OUTPUT_CHARS = 4_000;

/**
 * Prepares a start that a person asked for, as a run prepares its own: installs missing packages and runs pending
 * migrations. Both are logged as states of the server that `command` starts.
 * @returns whether the server can be started
 */
export async function prepareStart(
  { append }: Pick<ProjectContext, "append">,
  workspace: Workspace,
  command: string,
): Promise<boolean> {
  const announce = (server: Omit<ServerState, "command" | "ports" | "restarts">) =>
    append({ type: "server", server: { command, ports: [], restarts: 0, ...server } });
  const fail = (output: string) => {
    announce({ state: "crashed", tail: tailOf(output, OUTPUT_CHARS) });
    return false;
  };
  const { signal } = new AbortController();
  const installed = await installMissing(workspace, {
    signal,
    onBegin: () => announce({ state: "starting", installing: true }),
  });
  if (installed && !canStart(installed))
    return fail(`${installed.command}\n${installed.exit.output}`);
  const migration = await migrate(workspace, { seed: true, signal });
  return migration.kind === "failed" ? fail(migration.output) : true;
}
