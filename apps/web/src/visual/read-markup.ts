import type { SyntaxNode, Tree } from "@lezer/common";
import {
  collapse,
  decode,
  type Classes,
  type Literal,
  type SourceElement,
  type Style,
  type Words,
  type Writing,
} from "./source-element.ts";

/**
 * The elements of an HTML document, or of a Vue or Svelte template, outer elements first.
 * @param braces whether `{` begins an expression in it
 */
export function readMarkup(text: string, tree: Tree, braces: boolean): SourceElement[] {
  const elements: SourceElement[] = [];
  const visit = (node: SyntaxNode, parent: SourceElement | undefined) => {
    let within = parent;
    if (node.name === "Element") {
      const element = readElement(text, node, parent, braces);
      if (element) elements.push((within = element));
    }
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child, within);
  };
  visit(tree.topNode, undefined);
  return elements;
}

const DIRECTIVE = /^v-(?:for|if|else|else-if)$/;
const OPEN = /^(?:OpenTag|SelfClosingTag)$/;

function readElement(
  text: string,
  node: SyntaxNode,
  parent: SourceElement | undefined,
  braces: boolean,
): SourceElement | undefined {
  const open = node.firstChild;
  const name = open?.getChild("TagName");
  if (!open || !OPEN.test(open.name) || !name) return undefined;
  const attributes = new Map<string, Literal>();
  const bound = new Map<string, string>();
  for (const one of open.getChildren("Attribute")) {
    const [key, value] = [
      one.getChild("AttributeName"),
      one.getChild("AttributeValue") ?? one.getChild("UnquotedAttributeValue"),
    ];
    if (!key) continue;
    const called = text.slice(key.from, key.to).toLowerCase();
    const raw = value ? text.slice(value.from, value.to) : "";
    const quoted = /^["']/.test(raw);
    if (!value || !quoted || (braces && raw.includes("{")))
      bound.set(called.replace(/^(?:v-bind)?:/, ""), raw);
    else if (/^(?:v-bind)?:/.test(called)) bound.set(called.replace(/^(?:v-bind)?:/, ""), raw);
    else
      attributes.set(called, {
        from: value.from + 1,
        to: value.to - 1,
        writing: "attribute",
        value: decode(raw.slice(1, -1)),
      });
  }
  const tag = text.slice(name.from, name.to);
  const classes = attributes.get("class");
  const style = attributes.get("style");
  return {
    tag,
    from: node.from,
    to: node.to,
    parent,
    // Vue's directives bind an element to its place: one of a list, or a branch of a condition.
    container: [...attributes.keys(), ...bound.keys()].some((one) => DIRECTIVE.test(one))
      ? undefined
      : node.parent?.from,
    attributes,
    classes: classesOf(classes, bound.get("class"), name.to),
    style: styleOf(style, bound.get("style"), name.to),
    words: (shown) => readWords(text, node, shown, braces),
  };
}

function classesOf(literal: Literal | undefined, bound: string | undefined, at: number): Classes {
  // Vue merges bound classes with literal ones.
  if (literal) return { pieces: [literal], writing: "attribute" };
  if (bound !== undefined) return { refused: { why: "expression", code: bound } };
  return { absent: at, name: "class" };
}

function styleOf(literal: Literal | undefined, bound: string | undefined, at: number): Style {
  if (literal) return { declarations: literal, writing: "attribute" };
  if (bound !== undefined) return { refused: { why: "expression", code: bound } };
  return { absent: at, writing: "html" };
}

function readWords(text: string, element: SyntaxNode, shown: string, braces: boolean): Words {
  const runs: { from: number; to: number }[] = [];
  let run: { from: number; to: number } | undefined;
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (/^(?:Text|EntityReference|CharacterReference|InvalidEntity)$/.test(child.name)) {
      if (run) run.to = child.to;
      else runs.push((run = { from: child.from, to: child.to }));
    } else run = undefined;
  }
  const filled = runs.filter(({ from, to }) => text.slice(from, to).trim() !== "");
  if (filled.length === 0) return { refused: { why: "empty" } };
  if (filled.length > 1) return { refused: { why: "mixed" } };
  const { from, to } = filled[0]!;
  const raw = text.slice(from, to);
  if (braces && raw.includes("{")) return { refused: { why: "expression", code: collapse(raw) } };
  const value = collapse(decode(raw));
  if (value !== shown) return { refused: { why: "differs" } };
  const writing: Writing = braces ? "template" : "html";
  return {
    literal: {
      from: from + raw.length - raw.trimStart().length,
      to: from + raw.trimEnd().length,
      writing,
      value,
    },
  };
}
