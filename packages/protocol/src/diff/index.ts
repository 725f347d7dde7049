export { formatUnifiedDiff } from "./format-unified-diff.ts";
