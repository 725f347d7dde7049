import type { McpPipe, McpServerConfig } from "@treadle/agent";
import type { Workspace } from "@treadle/workspace";
import { PROGRAM_ENV } from "./program-env.ts";

/**
 * Starts a program inside the project's sandbox, with access to the project and its allowed hosts.
 */
export function sandboxPipe(
  config: McpServerConfig & { type: "stdio" },
  workspace: Workspace,
): Promise<McpPipe> {
  const quoted = [config.command, ...config.args].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return workspace.pipe(`exec ${quoted.join(" ")}`, { env: { ...PROGRAM_ENV, ...config.env } });
}
