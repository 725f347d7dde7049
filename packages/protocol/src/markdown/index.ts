/** Markdown of strangers as a small tree of known elements: what the page and shared pages draw, and nothing else. */
export { markdownTree } from "./markdown-tree.ts";
export type { MarkdownElement, MarkdownNode, MarkdownTag, MarkdownToken } from "./types.ts";
