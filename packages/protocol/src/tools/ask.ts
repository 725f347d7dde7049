import type { ArgumentKind, ToolEntry, ToolKind } from "./types.ts";
import { TOOLS, type ToolName } from "./vocabulary.ts";

/** The vocabulary's entry of a tool; undefined for a foreign tool or an invented one. */
export function toolEntry(name: string): ToolEntry | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : undefined;
}

/** The kind of a tool; undefined for a foreign tool. */
export function toolKind(name: string): ToolKind | undefined {
  return toolEntry(name)?.kind;
}

/** Whether a call contains a file's new content: complete, or as edits. */
export function holdsContent(name: string): boolean {
  const kinds = argumentKinds(name);
  return kinds.includes("file") || kinds.includes("edits");
}

/** Whether a call contains a file's complete content. */
export function holdsWholeFile(name: string): boolean {
  return argumentKinds(name).includes("file");
}

const argumentKinds = (name: string): ArgumentKind[] =>
  Object.values(toolEntry(name)?.arguments ?? {});

const COMMANDS = new Set<ToolKind>(["scaffolds", "runs", "serves"]);
const CHANGES = new Set<ToolKind>([...COMMANDS, "writes", "moves", "looks"]);

/** Whether a tool's purpose is to execute commands; a check executes them only to observe. */
export const isCommand = (kind: ToolKind | undefined): boolean => !!kind && COMMANDS.has(kind);

/** Whether commands of the project may run during a call. */
export const mayRunCommands = (kind: ToolKind): boolean => COMMANDS.has(kind) || kind === "looks";

/** Whether files may change during a call. */
export const mayChangeFiles = (kind: ToolKind): boolean => CHANGES.has(kind);
