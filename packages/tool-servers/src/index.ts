/** Servers of tools, set up by a person or a project, and asked by the model. */
export { createMcpHub } from "./mcp-hub.ts";
export type { McpScope } from "./mcp-store.ts";
export { toolAttempts } from "./tool-attacks.ts";
export type { McpHub } from "./types.ts";
