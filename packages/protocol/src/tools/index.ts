export {
  holdsContent,
  holdsWholeFile,
  isCommand,
  mayChangeFiles,
  mayRunCommands,
  toolEntry,
  toolKind,
} from "./ask.ts";
export { isForeignTool, spokenTool } from "./foreign.ts";
export type { ArgumentKind, ToolEntry, ToolKind } from "./types.ts";
export { TOOLS, type ToolName } from "./vocabulary.ts";
