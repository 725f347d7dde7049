/** Whether a tool is one of a foreign (MCP) server: `mcp__server__tool`. */
export const isForeignTool = (name: string): boolean => name.startsWith("mcp__");

/** A tool's name as it is said: `write file`, `echo of notes`. */
export function spokenTool(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined ? name.replaceAll("_", " ") : `${tool} of ${server}`;
}
