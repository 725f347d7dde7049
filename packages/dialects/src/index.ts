/**
 * Main functions and all types for reading and writing a model's answers. Writers, limits and
 * further readers are in the parts: `@treadle/dialects/edits`, `/artifact`, ….
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
