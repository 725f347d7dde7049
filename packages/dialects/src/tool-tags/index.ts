export { TOOL_TAG_LIMITS } from "./limits.ts";
export { createToolTagParser } from "./parse.ts";
export { createUnfencedToolTagParser } from "./unfenced.ts";
export { formatToolCalls, formatToolResult, type ToolCallText } from "./serialize.ts";
export type {
  ToolAlias,
  ToolTagErrorCode,
  ToolTagEvent,
  ToolTagLimits,
  ToolTagParser,
  ToolTagParserOptions,
} from "./types.ts";
