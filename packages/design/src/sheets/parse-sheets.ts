import type { SyntaxNode, Tree } from "@lezer/common";
import { parser as cssParser } from "@lezer/css";
import { parser as htmlParser } from "@lezer/html";
import { isStyleSheet } from "./style-files.ts";
import type { StyleFile } from "./types.ts";

/** A style sheet within a file: the file itself, or the contents of a `<style>` element. */
export interface Sheet {
  /** Its offset in the file. */
  offset: number;
  text: string;
  tree: Tree;
}

const sheet = (offset: number, text: string): Sheet => ({
  offset,
  text,
  tree: cssParser.parse(text),
});

/** The style sheets of a file, in order. */
export function parseSheets({ path, text }: StyleFile): Sheet[] {
  if (isStyleSheet(path)) return [sheet(0, text)];
  const found: Sheet[] = [];
  htmlParser.parse(text).iterate({
    enter({ name, from, to }) {
      if (name === "StyleText") found.push(sheet(from, text.slice(from, to)));
    },
  });
  return found;
}

/** The number of syntax errors in a file's style sheets. An edit must not add one. */
export const countErrors = (sheets: readonly Sheet[]): number =>
  sheets.reduce((sum, { tree }) => {
    let errors = 0;
    tree.iterate({
      enter({ type }) {
        if (type.isError) errors++;
      },
    });
    return sum + errors;
  }, 0);

/** A node's children, in order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** A text without comments, with single spaces. */
export function plainText(text: string, node: SyntaxNode, to = node.to): string {
  let plain = "";
  let at = node.from;
  node.cursor().iterate(({ name, from, to: end }) => {
    if (name !== "Comment" || from >= to) return;
    plain += `${text.slice(at, from)} `;
    at = end;
  });
  return `${plain}${text.slice(at, to)}`.replace(/\s+/g, " ").trim();
}
