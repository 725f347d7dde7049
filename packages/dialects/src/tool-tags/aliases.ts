import type { ToolAlias } from "./types.ts";

/** Other names that models use for a tool's path parameter. */
const PATH = { file_path: "path", filePath: "path", filename: "path" };

/** Usual tool names that models know; each counts only if its tool exists. */
const USUAL: readonly (readonly [string, ToolAlias])[] = [
  ["LS", { tool: "list_files", defaults: { recursive: "false" } }],
  ["Grep", { tool: "search_files", params: { pattern: "regex", include: "file_pattern" } }],
  ["Bash", { tool: "execute_command" }],
  ["Bash", { tool: "run_command" }],
  ["Read", { tool: "read_file" }],
  ["Write", { tool: "write_to_file" }],
  ["Write", { tool: "write_file" }],
];

/**
 * The tool of an `<invoke>`: by its own name first, then by the caller's aliases, then by the usual
 * ones.
 */
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

/**
 * Adds the usual other names of a tool's parameters, unless they are names of its other parameters.
 */
export function withUsualParams(alias: ToolAlias, own: readonly string[]): ToolAlias {
  if (!own.includes("path")) return alias;
  const usual = Object.entries(PATH).filter(([name]) => !own.includes(name));
  return { ...alias, params: { ...Object.fromEntries(usual), ...alias.params } };
}

/** A parameter's own name in the tool. */
export function resolveParam(name: string, { params = {} }: ToolAlias): string {
  return Object.hasOwn(params, name) ? params[name]! : name;
}
