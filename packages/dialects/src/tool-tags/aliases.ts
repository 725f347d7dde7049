import type { ToolAlias } from "./types.ts";

/** How models call a path that the tool calls otherwise. */
const PATH = { file_path: "path", filePath: "path", filename: "path" };

/** The names under which models know the usual tools; each counts only where its tool exists. */
const USUAL: readonly (readonly [string, ToolAlias])[] = [
  ["LS", { tool: "list_files", defaults: { recursive: "false" } }],
  ["Grep", { tool: "search_files", params: { pattern: "regex", include: "file_pattern" } }],
  ["Bash", { tool: "execute_command" }],
  ["Bash", { tool: "run_command" }],
  ["Read", { tool: "read_file" }],
  ["Write", { tool: "write_to_file" }],
  ["Write", { tool: "write_file" }],
];

/** What an `<invoke>` calls: a tool by its own name first, then by the caller's aliases, then by the usual ones. */
export function resolveTool(
  name: string,
  tools: ReadonlyMap<string, readonly string[]>,
  aliases: ReadonlyMap<string, ToolAlias>,
): ToolAlias | undefined {
  if (tools.has(name)) return { tool: name };
  const own = aliases.get(name);
  if (own && tools.has(own.tool)) return own;
  return USUAL.find(([usual, alias]) => usual === name && tools.has(alias.tool))?.[1];
}

/** A tool with the usual other names of its parameters: of those that it has, and that are no names of others. */
export function withUsualParams(alias: ToolAlias, own: readonly string[]): ToolAlias {
  if (!own.includes("path")) return alias;
  const usual = Object.entries(PATH).filter(([name]) => !own.includes(name));
  return { ...alias, params: { ...Object.fromEntries(usual), ...alias.params } };
}

/** A parameter's name in the tool's own vocabulary. */
export function resolveParam(name: string, { params = {} }: ToolAlias): string {
  return Object.hasOwn(params, name) ? params[name]! : name;
}
