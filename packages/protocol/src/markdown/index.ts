/** Untrusted Markdown as a tree of known elements, for the page and shared pages. */
export { markdownTree } from "./markdown-tree.ts";
export type { MarkdownElement, MarkdownNode, MarkdownTag, MarkdownToken } from "./types.ts";
