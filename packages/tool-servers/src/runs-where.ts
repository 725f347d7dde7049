import type { KeptServer, McpScope } from "./mcp-store.ts";

/** Inside a project's sandbox, on this machine itself, or at an address elsewhere. */
export type RunsWhere = "sandbox" | "machine" | "address";

export function runsWhere(place: McpScope, { config, trusted }: KeptServer): RunsWhere {
  if (config.type !== "stdio") return "address";
  // A project can never request that.
  return trusted && place === "global" ? "machine" : "sandbox";
}
