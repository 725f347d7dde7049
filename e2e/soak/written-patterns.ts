/** Regular expressions in a source file: literal ones and concatenated ones. */

interface Node {
  type: string;
  start: number;
  [name: string]: unknown;
}

export interface WrittenPattern {
  source: string;
  flags: string;
  /** Its offset in the text. */
  start: number;
}

/** Replaces a part that is known only at run time: a word, or a number in a quantifier. */
const WORD = "word";
const NUMBER = "9";

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/** @param program an ESTree syntax tree */
export function writtenPatterns(program: unknown): WrittenPattern[] {
  const found: WrittenPattern[] = [];
  const constants = constantsOf(program);
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start: number };
    if (regex) return void found.push({ source: regex.pattern, flags: regex.flags, start });
    if (isNode(node) && isRegExpCall(node)) {
      const [source, flags] = node["arguments"] as Node[];
      const written = source && textOf(source, constants);
      if (written !== undefined)
        found.push({ source: written, flags: (flags && textOf(flags, constants)) ?? "", start });
    }
    Object.values(node).forEach(visit);
  };
  visit(program);
  return found;
}

const isRegExpCall = ({ type, callee }: Node) =>
  (type === "NewExpression" || type === "CallExpression") &&
  isNode(callee) &&
  callee["name"] === "RegExp";

/** Every name that a declaration gives to something, whatever block it is in: the first of a name counts. */
function constantsOf(program: unknown): Map<string, Node> {
  const constants = new Map<string, Node>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, id, init } = node as Node & { id?: { name?: string } };
    if (type === "VariableDeclarator" && id?.name !== undefined && isNode(init))
      if (!constants.has(id.name)) constants.set(id.name, init);
    Object.values(node).forEach(visit);
  };
  visit(program);
  return constants;
}

/** What it comes to, with words for parts that are not known; undefined: none of it is, or it is written as one elsewhere. */
function textOf(node: Node, constants: Map<string, Node>, depth = 0): string | undefined {
  const read = (one: Node, otherwise = WORD) =>
    (depth > 20 ? undefined : textOf(one, constants, depth + 1)) ?? otherwise;
  const raw = node["tag"] !== undefined;
  switch (node.type) {
    case "Literal":
      return node["regex"] ? undefined : String(node["value"]);
    case "TaggedTemplateExpression":
    case "TemplateLiteral": {
      const { quasis, expressions } = (raw ? node["quasi"] : node) as {
        quasis: { value: { raw: string; cooked: string } }[];
        expressions: Node[];
      };
      let text = "";
      for (const [index, { value }] of quasis.entries()) {
        text += raw ? value.raw : value.cooked;
        const inner = expressions[index];
        if (inner) text += read(inner, /\{(?:\d+,)?$/.test(text) ? NUMBER : WORD);
      }
      return text;
    }
    case "BinaryExpression":
      return read(node["left"] as Node) + read(node["right"] as Node);
    case "Identifier": {
      const known = constants.get(String(node["name"]));
      return known && textOf(known, constants, depth + 1);
    }
    case "MemberExpression":
      return sourceOf(node, constants) ?? WORD;
    case "CallExpression":
      return joined(node, constants, read) ?? WORD;
    default:
      return WORD;
  }
}

/** `PATTERN.source`. */
function sourceOf({ object, property }: Node, constants: Map<string, Node>): string | undefined {
  const named = (property as Node)["name"];
  const literal = constants.get(String((object as Node)["name"])) ?? (object as Node);
  const { pattern } = (literal["regex"] ?? {}) as { pattern?: string };
  return named === "source" ? pattern : undefined;
}

/** `["a", "b"].join("|")`. */
function joined(
  { callee, arguments: given }: Node,
  constants: Map<string, Node>,
  read: (one: Node) => string,
): string | undefined {
  const { object, property } = callee as Node & { object?: Node; property?: Node };
  if (!isNode(object) || (property as Node)["name"] !== "join") return undefined;
  const list = constants.get(String(object["name"])) ?? object;
  if (list.type !== "ArrayExpression") return undefined;
  const [by] = given as Node[];
  return (list["elements"] as Node[]).map((one) => read(one)).join(by ? read(by) : ",");
}
