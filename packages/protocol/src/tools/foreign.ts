/** Whether a tool belongs to a foreign (MCP) server: `mcp__server__tool`. */
export const isForeignTool = (name: string): boolean => name.startsWith("mcp__");

/** A tool's name in words: `write file`, `echo of notes`. */
export function spokenTool(name: string): string {
  const [server, tool] = isForeignTool(name) ? halves(name.slice("mcp__".length)) : [];
  return server === undefined ? name.replaceAll("_", " ") : `${tool} of ${server}`;
}

/** Splits a foreign tool's name into the server's and the tool's name; empty if either is missing. */
function halves(name: string): [string, string] | [] {
  const at = name.indexOf("__", 1);
  return at === -1 || at + 2 === name.length ? [] : [name.slice(0, at), name.slice(at + 2)];
}
