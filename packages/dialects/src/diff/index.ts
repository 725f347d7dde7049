export { diffLines, type Difference } from "./diff-lines.ts";
export { formatUnifiedDiff, splitLines } from "./format-unified-diff.ts";
export { hunksOf, readUnifiedDiff, type DiffLine, type Hunk } from "./read-unified-diff.ts";
export { undoHunks } from "./undo-hunks.ts";
