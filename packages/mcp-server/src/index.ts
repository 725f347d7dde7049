export { createMcpServer } from "./create-mcp-server.ts";
export { serveMcp, type ToolServer } from "./serve-mcp.ts";
