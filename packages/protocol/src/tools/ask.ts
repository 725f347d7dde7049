import type { ArgumentKind, ToolEntry, ToolKind } from "./types.ts";
import { TOOLS, type ToolName } from "./vocabulary.ts";

/** What is known of a tool; undefined of a foreign one, and of one that a model made up. */
export function toolEntry(name: string): ToolEntry | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : undefined;
}

/** What a tool is for; undefined of a foreign one. */
export function toolKind(name: string): ToolKind | undefined {
  return toolEntry(name)?.kind;
}

/** Whether a call holds what a file is to be: its whole content, or edits of it. */
export function holdsContent(name: string): boolean {
  const kinds = argumentKinds(name);
  return kinds.includes("file") || kinds.includes("edits");
}

/** Whether a call holds a file's whole content. */
export function holdsWholeFile(name: string): boolean {
  return argumentKinds(name).includes("file");
}

const argumentKinds = (name: string): ArgumentKind[] =>
  Object.values(toolEntry(name)?.arguments ?? {});

const COMMANDS = new Set<ToolKind>(["scaffolds", "runs", "serves"]);
const CHANGES = new Set<ToolKind>([...COMMANDS, "writes", "moves", "looks"]);

/** Whether it executes commands as its purpose; a check does so only to observe. */
export const isCommand = (kind: ToolKind | undefined): boolean => !!kind && COMMANDS.has(kind);

/** Whether commands of the project may run meanwhile. */
export const mayRunCommands = (kind: ToolKind): boolean => COMMANDS.has(kind) || kind === "looks";

/** Whether files may change meanwhile. */
export const mayChangeFiles = (kind: ToolKind): boolean => CHANGES.has(kind);
