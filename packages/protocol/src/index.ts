export { heldWords, judge, untriedEvidence } from "./evidence/judge.ts";
export {
  EVIDENCE_PARTS,
  type CheckReport,
  type Evidence,
  type EvidencePart,
  type PageProblem,
  type PageReport,
  type PartEvidence,
  type PartState,
  type Verdict,
} from "./evidence/types.ts";
export type * from "./log/types.ts";
export type * from "./log/mentioned.ts";
export type * from "./log/question.ts";
export type * from "./log/todo.ts";
export type * from "./api/types.ts";
export {
  type ActionHead,
  type ActionText,
  type ArtifactText,
  formatActionResult,
  formatArtifact,
  ARTIFACT_LIMITS,
  type ArtifactErrorCode,
  type ArtifactErrorEvent,
  type ArtifactEvent,
  type ArtifactLimits,
  type ArtifactParser,
  type ArtifactParserOptions,
  createArtifactParser,
  projectPath,
  type QuickActionEvent,
} from "./artifact/index.ts";
export {
  ARGUMENT_LIMITS,
  type ArgumentEvent,
  type ArgumentLimits,
  type ArgumentPath,
  type ArgumentReader,
  type ArgumentReaderOptions,
  createArgumentReader,
} from "./json-arguments/index.ts";
export {
  applyEdits,
  createEditApplier,
  type Edit,
  type EditApplier,
  type EditFailure,
  type EditFailureReason,
  type EditResult,
} from "./edits/index.ts";
export {
  createSearchReplaceReader,
  formatSearchReplace,
  parseSearchReplace,
  SEARCH_REPLACE_LIMITS,
  type SearchReplaceLimits,
  type SearchReplaceReader,
  type SearchReplaceReaderOptions,
  type SearchReplaceResult,
} from "./search-replace/index.ts";
export {
  applyHunks,
  applyPatch,
  type ApplyPatchResult,
  parseHunks,
  parsePatch,
  type Patch,
  type PatchHunk,
  type PatchLine,
  type PatchOperation,
  type PatchResult,
} from "./apply-patch/index.ts";
export { formatUnifiedDiff } from "./diff/index.ts";
export {
  applyModification,
  type ApplyModificationResult,
  type FileModification,
  formatModifications,
  type Modification,
  parseModifications,
  toModification,
} from "./modifications/index.ts";
export {
  createDataStreamDecoder,
  createDataStreamEncoder,
  DATA_STREAM_LINE_LIMIT,
  type DataStreamDecoder,
  type DataStreamEncoder,
  type DataStreamPart,
  type DataStreamPartType,
  type InvalidLine,
  type JsonValue,
  type StreamUsage,
} from "./data-stream/index.ts";
export {
  createToolTagParser,
  formatToolCalls,
  formatToolResult,
  type ToolAlias,
  type ToolCallText,
  TOOL_TAG_LIMITS,
  type ToolTagErrorCode,
  type ToolTagEvent,
  type ToolTagLimits,
  type ToolTagParser,
  type ToolTagParserOptions,
} from "./tool-tags/index.ts";
