/** Finds user-visible texts in the code that belong in a catalogue. */
import { parseSync } from "vite";

/** Attributes that are shown or read aloud. `name` is one of them on components. */
const TEXT_ATTRIBUTES =
  /^(aria-(label|description|roledescription|valuetext)|title|placeholder|label|alt|note|action|remove|hint|problem|text|what)$/;
/** Attributes whose values look like words but are not: classes, styles, keys and kinds. */
const NO_TEXT_ATTRIBUTES = /class|style|^(d|id|key|to|href|src|type|role|data-.*|rel|target)$/i;
/** Names spelled the same in all languages. */
const NAMES = new Set(["Treadle", "Markdown", "Esc", "Ctrl", "Tab", "ZIP", "KB", "MB", "ms"]);

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const wordsOf = (text: string) => text.trim().replace(/\s+/g, " ");

/** Whether it contains a word that needs a translation. */
function isText(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some((word) => word.length > 1 && !NAMES.has(word));
}

/** Whether it is a sentence or the beginning of one, wherever it appears. */
function isSentence(text: string): boolean {
  if (/^\p{Lu}\p{Ll}+(?:[ ,:]\S|…|\.$)/u.test(text)) return true;
  return /^[\p{L}’',;:.()]+(?: [\p{L}’',;:.()]+){2,}$/u.test(text) && !/[a-z]:[a-z]/.test(text);
}

interface Place {
  /** Shown directly, so any word in it is text. */
  shown: boolean;
  /** Never text, whatever it looks like. */
  never: boolean;
}

/** All texts in one module, as `line: text`. */
export function rawTexts(file: string, source: string): string[] {
  const found: string[] = [];
  const report = (node: Node, text: string) => {
    const line = source.slice(0, node.start).split("\n").length;
    found.push(`${line}: ${wordsOf(text)}`);
  };
  const look = (text: string, node: Node, { shown, never }: Place) => {
    if (!never && (shown ? isText(text) : isSentence(wordsOf(text)))) report(node, text);
  };
  const walk = (node: Node, place: Place): void => {
    switch (node.type) {
      case "JSXText":
        if (isText(node["value"] as string)) report(node, node["value"] as string);
        return;
      case "Literal":
        if (typeof node["value"] === "string") look(node["value"], node, place);
        return;
      case "TemplateLiteral": {
        const quasis = node["quasis"] as { value: { cooked: string } }[];
        const texts = quasis.map(({ value }) => value.cooked);
        look(texts.join("0"), node, place);
        // The subject may come first, as a value: `NAME is gone.`
        if (
          !place.shown &&
          texts[0] === "" &&
          isSentence(wordsOf(texts.join("0")).replace(/^0 /, ""))
        )
          look(wordsOf(texts.join("0")).slice(2), node, place);
        break;
      }
      case "JSXAttribute": {
        const name = source.slice(
          (node["name"] as Node).start,
          (node["name"] as Node)["end"] as number,
        );
        const shown = TEXT_ATTRIBUTES.test(name) || (name === "name" && place.shown);
        const value = node["value"];
        if (isNode(value)) walk(value, { shown, never: NO_TEXT_ATTRIBUTES.test(name) });
        return;
      }
      case "JSXElement": {
        const opening = node["openingElement"] as Node;
        const component = /^<[A-Z]/.test(source.slice(opening.start, opening.start + 2));
        for (const attribute of opening["attributes"] as Node[])
          walk(attribute, { shown: component, never: false });
        for (const child of node["children"] as Node[]) walk(child, { shown: true, never: false });
        return;
      }
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "TSLiteralType":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
        return;
      case "BinaryExpression":
        place = { ...place, never: true };
        break;
      case "CallExpression":
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "ObjectExpression":
        place = { shown: false, never: false };
        break;
      case "Property": {
        const key = (node["key"] as Node)["name"];
        const value = node["value"] as Node;
        // Treated like the attribute of that name, which it may become.
        if (typeof key === "string" && TEXT_ATTRIBUTES.test(key) && value.type === "Literal") {
          walk(value, { shown: true, never: place.never });
          return;
        }
        break;
      }
      case "ConditionalExpression": {
        walk(node["test"] as Node, { shown: false, never: place.never });
        walk(node["consequent"] as Node, place);
        walk(node["alternate"] as Node, place);
        return;
      }
      case "LogicalExpression":
        walk(node["left"] as Node, { ...place, shown: place.shown && node["operator"] !== "&&" });
        walk(node["right"] as Node, place);
        return;
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) value.filter(isNode).forEach((child) => walk(child, place));
      else if (isNode(value)) walk(value, place);
    }
  };
  const { program } = parseSync(file, source);
  walk(program as unknown as Node, { shown: false, never: false });
  return found;
}

/** Texts read while the module is loading, before they are available, as `line: words.…`. */
export function readTooEarly(file: string, source: string): string[] {
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (
      /Function|TS.*Declaration|TSTypeQuery/.test(node.type) &&
      node.type !== "ExportNamedDeclaration"
    )
      return;
    if (node.type === "MemberExpression" && (node["object"] as Node)["name"] === "words") {
      const line = source.slice(0, node.start).split("\n").length;
      found.push(`${line}: ${source.slice(node.start, node["end"] as number)}`);
      return;
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) value.filter(isNode).forEach(walk);
      else if (isNode(value)) walk(value);
    }
  };
  walk(parseSync(file, source).program as unknown as Node);
  return found;
}
