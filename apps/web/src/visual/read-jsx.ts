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

/** The elements of a JSX or TSX file, outer elements first. */
export function readJsx(text: string, tree: Tree): SourceElement[] {
  const elements: SourceElement[] = [];
  const visit = (node: SyntaxNode, parent: SourceElement | undefined) => {
    let within = parent;
    if (node.name === "JSXElement") {
      const element = readElement(text, node, parent);
      if (element) elements.push((within = element));
    }
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child, within);
  };
  visit(tree.topNode, undefined);
  return elements;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function readElement(
  text: string,
  node: SyntaxNode,
  parent: SourceElement | undefined,
): SourceElement | undefined {
  const open = node.getChild("JSXOpenTag") ?? node.getChild("JSXSelfClosingTag");
  const name = open?.firstChild?.nextSibling;
  if (!open || !name || !name.name.startsWith("JSX")) return undefined;
  const sourceOf = (node: SyntaxNode) => text.slice(node.from, node.to);
  const jsxAttributes = open.getChildren("JSXAttribute");
  const spreads = open.getChildren("JSXSpreadAttribute").length > 0;
  const named = (...names: string[]) =>
    jsxAttributes.find((one) => one.firstChild && names.includes(sourceOf(one.firstChild)));
  const attributes = new Map<string, Literal>();
  for (const one of jsxAttributes) {
    const literal = one.lastChild && stringIn(text, one.lastChild);
    if (one.firstChild && literal) attributes.set(sourceOf(one.firstChild), literal);
  }
  const unknown = { refused: { why: "expression", code: "{...}" } } as const;
  const classed = named("className", "class");
  const styled = named("style");
  return {
    tag: sourceOf(name),
    from: node.from,
    to: node.to,
    parent,
    container: node.parent?.name === "JSXElement" ? node.parent.from : undefined,
    attributes,
    classes: classed
      ? readClasses(text, classed)
      : spreads
        ? unknown
        : { absent: name.to, name: "className" },
    style: styled
      ? readStyle(text, styled)
      : spreads
        ? unknown
        : { absent: name.to, writing: "jsx" },
    words: (shown) => readWords(text, node, shown),
  };
}

/** A literal string: `"…"`, `{"…"}`, `` {`…`} ``; undefined for anything else. */
function stringIn(text: string, node: SyntaxNode): Literal | undefined {
  const inner = node.name === "JSXEscape" ? onlyExpression(node) : node;
  if (!inner) return undefined;
  const isAttribute = inner.name === "JSXAttributeValue";
  const isPlain =
    inner.name === "String" ||
    (inner.name === "TemplateString" && !inner.getChild("Interpolation"));
  if (!isAttribute && !isPlain) return undefined;
  const [from, to] = [inner.from + 1, inner.to - 1];
  const raw = text.slice(from, to);
  return {
    from,
    to,
    writing: isAttribute ? "attribute" : (text[inner.from] as Writing),
    value: isAttribute ? decode(raw) : unescape(raw),
  };
}

const unescape = (raw: string): string =>
  raw.replace(
    /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|(n)|(t)|(.))/gi,
    (_, long, short, n, t, one) => {
      if (long ?? short) return String.fromCodePoint(Number.parseInt(String(long ?? short), 16));
      return n ? "\n" : t ? "\t" : String(one);
    },
  );

const onlyExpression = (node: SyntaxNode): SyntaxNode | undefined =>
  childrenOf(node).find(({ name }) => !/^[{}]$|Comment$/.test(name));

function readClasses(text: string, attribute: SyntaxNode): Classes {
  const value = attribute.lastChild;
  const refused: Classes = {
    refused: { why: "expression", code: value ? text.slice(value.from, value.to) : "" },
  };
  if (!value) return refused;
  const literal = stringIn(text, value);
  if (literal) return { pieces: [literal], writing: literal.writing };
  const inner = value.name === "JSXEscape" ? onlyExpression(value) : undefined;
  if (inner?.name === "TemplateString") {
    const pieces = [];
    let from = inner.from + 1;
    for (const gap of inner.getChildren("Interpolation")) {
      pieces.push({ from, to: gap.from });
      from = gap.to;
    }
    return { pieces: [...pieces, { from, to: inner.to - 1 }], writing: "`" };
  }
  // The first literal argument of `cn("…", …)` always applies.
  const first =
    inner?.name === "CallExpression" ? inner.getChild("ArgList")?.getChild("String") : undefined;
  if (!first) return refused;
  return {
    pieces: [{ from: first.from + 1, to: first.to - 1 }],
    writing: text[first.from] as Writing,
  };
}

function readStyle(text: string, attribute: SyntaxNode): Style {
  const value = attribute.lastChild;
  const object = value?.name === "JSXEscape" ? onlyExpression(value) : undefined;
  if (object?.name !== "ObjectExpression")
    return { refused: { why: "expression", code: value ? text.slice(value.from, value.to) : "" } };
  const properties = object.getChildren("Property").flatMap((one) => {
    const [key, valueNode] = [one.firstChild, one.lastChild];
    if (!key || !valueNode || key === valueNode) return [];
    const name = text.slice(key.from, key.to).replace(/^["']|["']$/g, "");
    const isLiteral = /^(?:String|Number)$/.test(valueNode.name);
    return [{ name, value: { from: valueNode.from, to: valueNode.to }, isLiteral }];
  });
  const inner = childrenOf(object).filter(({ name }) => !/^[{}]$|Comment$/.test(name));
  const last = inner.at(-1);
  return {
    properties,
    end: last ? last.to : object.from + 1,
    isEmpty: !last || last.name === ",",
  };
}

function readWords(text: string, element: SyntaxNode, shown: string): Words {
  const children = childrenOf(element).filter(
    ({ name }) => !/^JSX(?:OpenTag|CloseTag|SelfClosingTag)$/.test(name),
  );
  const sourceOf = (node: SyntaxNode) => text.slice(node.from, node.to);
  const texts = children.filter(
    (one) => /^JSXText|^JSXEntity/.test(one.name) && sourceOf(one).trim(),
  );
  const values = children.filter(
    (one) => one.name === "JSXEscape" && onlyExpression(one) !== undefined,
  );
  if (texts.length === 0 && values.length === 0) return { refused: { why: "empty" } };
  if (texts.length === 1 && values.length === 0) {
    const [only] = texts;
    const raw = sourceOf(only!);
    const from = only!.from + raw.length - raw.trimStart().length;
    const to = only!.from + raw.trimEnd().length;
    const value = collapse(decode(text.slice(from, to)));
    if (value !== shown) return { refused: { why: "differs" } };
    return { literal: { from, to, writing: "jsx", value } };
  }
  if (texts.length > 0 || values.length > 1) return { refused: { why: "mixed" } };
  const literal = stringIn(text, values[0]!) ?? branchOf(text, onlyExpression(values[0]!)!, shown);
  if (!literal) return { refused: { why: "expression", code: sourceOf(values[0]!) } };
  if (collapse(literal.value) !== shown) return { refused: { why: "differs" } };
  return { literal };
}

/** The displayed branch of `a ? "Yes" : "No"` and `a && "Yes"`, if only one of them has that text. */
function branchOf(text: string, node: SyntaxNode, shown: string): Literal | undefined {
  if (!/^(?:ConditionalExpression|BinaryExpression|ParenthesizedExpression)$/.test(node.name))
    return undefined;
  const found = childrenOf(node).flatMap((child): Literal[] => {
    const literal = stringIn(text, child) ?? branchOf(text, child, shown);
    return literal && collapse(literal.value) === shown ? [literal] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
