/**
 * What reads and writes a model's answers, each part by its main functions, and every type. What a part has besides
 * (writers, limits, other readers) is in the part: `@treadle/dialects/edits`, `/artifact`, ….
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
