export { applyHunks, applyPatch } from "./apply.ts";
export { parsePatch } from "./parse.ts";
export { parseHunks } from "./parse-unified-diff.ts";
export type {
  ApplyPatchResult,
  Patch,
  PatchHunk,
  PatchLine,
  PatchOperation,
  PatchResult,
} from "./types.ts";
