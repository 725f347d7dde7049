import type { SyntaxNode, Tree } from "@lezer/common";
import type { Planned } from "./edits.ts";
import type { SettingRule } from "./picked.ts";

/** Maximum characters of a selector or value that are parsed; longer ones were not written to be edited here (A78). */
const MAX_CHARS = 1_000;

/** A normalised selector, without the scoping that a framework adds for a component. */
export const plainSelector = (selector: string): string =>
  selector
    .replace(/\/\*.*?\*\//gs, "")
    .replace(
      /:where\(\.svelte-[\w-]+\)|\.svelte-[\w-]+|\[data-v-[\w-]+\]|\[data-astro-cid-[\w-]+\]/g,
      "",
    )
    .replace(/\s*([>+~,])\s*/g, "$1")
    .replace(/::?(before|after)/g, "::$1")
    .replace(/\s+/g, " ")
    .replace(/"/g, "'")
    .trim();

interface Declared {
  name: string;
  from: number;
  to: number;
}

/** The name of a declaration, and the range of its value without `!important`; undefined if it is incomplete. */
function readDeclaration(text: string, node: SyntaxNode): Declared | undefined {
  const [name, colon] = [node.firstChild, node.getChild(":")];
  if (!name || !colon) return undefined;
  const end = node.getChild("Important")?.from ?? node.to;
  const raw = text.slice(colon.to, end);
  return {
    name: text.slice(name.from, name.to).toLowerCase(),
    from: colon.to + raw.length - raw.trimStart().length,
    to: colon.to + raw.trimEnd().length,
  };
}

/** Other property names, such as shorthands, that set only this property if the value matches `alone`. */
const ALSO: Record<string, { name: string; alone: RegExp }> = {
  "background-color": {
    name: "background",
    alone: /^(?:#[0-9a-f]{3,8}|[a-z]+|[a-z]+\([^()]*(?:\([^()]*\)[^()]*)*\))$/i,
  },
};

/**
 * Changes a value in the style sheet rule that sets a property, if exactly one rule has that selector and sets it.
 * @param value the browser's current value, if the rule sets the property under another name
 */
export function editRule(
  text: string,
  tree: Tree,
  by: Pick<SettingRule, "selector">,
  property: string,
  value: string,
): Planned {
  const selector = plainSelector(by.selector);
  const found: Declared[] = [];
  let broken = false;
  tree.iterate({
    enter({ node }) {
      if (node.type.isError) broken = true;
      if (node.name !== "RuleSet") return;
      const block = node.getChild("Block");
      if (!block || block.from - node.from > MAX_CHARS) return;
      if (plainSelector(text.slice(node.from, block.from)) !== selector) return;
      const declared = block
        .getChildren("Declaration")
        .flatMap((one) => readDeclaration(text, one) ?? []);
      const also = ALSO[property];
      const declaration =
        declared.findLast(({ name }) => name === property) ??
        declared.findLast(
          ({ name, from, to }) =>
            name === also?.name && to - from <= MAX_CHARS && also.alone.test(text.slice(from, to)),
        );
      if (declaration) found.push(declaration);
    },
  });
  if (found.length === 0) return { refused: { why: broken ? "unread" : "nowhere" } };
  if (found.length > 1) return { refused: { why: "several", count: found.length } };
  const { from, to } = found[0]!;
  return { edit: { from, to, insert: value } };
}
