export { diffLines, type Difference } from "./diff-lines.ts";
export { formatUnifiedDiff } from "./format-unified-diff.ts";
