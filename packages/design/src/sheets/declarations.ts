import type { SyntaxNode } from "@lezer/common";
import { childrenOf, plainText, type Sheet } from "./parse-sheets.ts";
import type { Span } from "./types.ts";

/** The context of a block of declarations. */
export interface Scope {
  /** The selectors of its rule, as written; empty for an at-rule such as Tailwind's `@theme`. */
  selectors: string[];
  /** The at-rules around it, the outermost first, such as `@layer base`. */
  around: string[];
  /** Whether the rule is nested in another rule. */
  isNested: boolean;
}

export interface Declaration {
  property: string;
  /** The value without `!important`, as a range of the sheet. */
  value: Span;
  /** The value's nodes. */
  nodes: SyntaxNode[];
}

/** A block with its declarations. */
export interface Block {
  scope: Scope;
  node: SyntaxNode;
  declarations: Declaration[];
}

/** All blocks of a sheet with declarations, in order. */
export function readBlocks({ text, tree }: Sheet): Block[] {
  const found: Block[] = [];
  const visit = (node: SyntaxNode, scope: Scope) => {
    for (const child of childrenOf(node)) {
      if (child.name === "RuleSet") visitBlock(child, inRule(text, child, scope));
      else if (/Statement$|^AtRule$/.test(child.name))
        visitBlock(child, inAtRule(text, child, scope));
    }
  };
  const visitBlock = (rule: SyntaxNode, scope: Scope) => {
    const block = rule.getChild("Block");
    if (!block) return;
    const declarations = block
      .getChildren("Declaration")
      .flatMap((one) => readDeclaration(text, one) ?? []);
    if (declarations.length > 0) found.push({ scope, node: block, declarations });
    visit(block, scope);
  };
  visit(tree.topNode, { selectors: [], around: [], isNested: false });
  return found;
}

function inRule(text: string, rule: SyntaxNode, scope: Scope): Scope {
  const selectors = childrenOf(rule)
    .filter(({ name }) => name.endsWith("Selector"))
    .map((node) => plainText(text, node));
  return { ...scope, selectors, isNested: scope.isNested || scope.selectors.length > 0 };
}

function inAtRule(text: string, rule: SyntaxNode, scope: Scope): Scope {
  const block = rule.getChild("Block");
  return { ...scope, around: [...scope.around, plainText(text, rule, block?.from)] };
}

function readDeclaration(text: string, node: SyntaxNode): Declaration | undefined {
  const [name, colon] = [node.firstChild, node.getChild(":")];
  if (!name || !colon) return undefined;
  const nodes = childrenOf(node).filter(
    (one) => one.from >= colon.to && one.name !== "Important" && one.name !== "Comment",
  );
  return {
    property: text.slice(name.from, name.to),
    // Comments before and after the value are not part of it.
    value: { from: nodes[0]?.from ?? colon.to, to: nodes.at(-1)?.to ?? colon.to },
    nodes,
  };
}
