/**
 * What reads and writes a model's answers, each part by its main functions, and the types that Treadle's parts share.
 * What a part has besides (writers, limits, other readers) is in the part: `@treadle/protocol/edits`, `/artifact`, ….
 */
export { createArtifactParser } from "./artifact/parse.ts";
export { createToolTagParser } from "./tool-tags/parse.ts";
export { applyEdits } from "./edits/apply.ts";
export { parseSearchReplace } from "./search-replace/parse.ts";
export { applyPatch } from "./apply-patch/apply.ts";
export { parsePatch } from "./apply-patch/parse.ts";
export type * from "./artifact/index.ts";
export type * from "./tool-tags/index.ts";
export type * from "./json-arguments/index.ts";
export type * from "./edits/index.ts";
export type * from "./search-replace/index.ts";
export type * from "./apply-patch/index.ts";
export type * from "./modifications/index.ts";
export type * from "./data-stream/index.ts";
export type * from "./project-path/index.ts";
export type * from "./sentences/types.ts";
export type * from "./evidence/index.ts";
export type * from "./log/types.ts";
export type * from "./log/context.ts";
export type * from "./log/mentioned.ts";
export type * from "./log/protected-files.ts";
export type * from "./log/question.ts";
export type * from "./log/todo.ts";
export type * from "./tab/index.ts";
export type { CacheLevel, ThinkingLevel } from "./models/index.ts";
export type * from "./api/mcp.ts";
export type * from "./api/types.ts";
export type * from "./api/comparison.ts";
export type * from "./api/database.ts";
export type * from "./api/elsewhere.ts";
export type * from "./api/publication.ts";
export type * from "./api/share.ts";
