/** Tool servers configured by a person or a project, and called by the model. */
export { createMcpHub } from "./mcp-hub.ts";
export type { McpScope } from "./mcp-store.ts";
export { toolAttempts } from "./tool-attacks.ts";
export type { McpHub } from "./types.ts";
