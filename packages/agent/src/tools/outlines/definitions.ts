import type { Node } from "@vscode/tree-sitter-wasm";
import { FILE_DEFINITIONS, HEAD_CHARACTERS, NODES } from "./limits.ts";
import { clipLine } from "../../text/clip.ts";
import type { Definition } from "./types.ts";

/** Nodes that open a body: the head of a definition ends before them. */
const BODIES = new Set([
  "statement_block",
  "class_body",
  "interface_body",
  "enum_body",
  "block",
  "keyframe_block_list",
]);

/** Maximum depth of nested functions that are listed. */
const DEEPEST = 2;

const NAMED = new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_signature",
  "class_declaration",
  "abstract_class_declaration",
  "interface_declaration",
  "type_alias_declaration",
  "enum_declaration",
  "internal_module",
  "module",
  "method_definition",
  "abstract_method_signature",
  "function_definition",
  "class_definition",
  "rule_set",
  "media_statement",
  "keyframes_statement",
  "supports_statement",
]);

/** Statements that are listed at the top level only. */
const TOP_ONLY = new Set(["type_alias_declaration", "interface_declaration"]);
const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function", "class"]);
const WRAPPERS = new Set(["export_statement", "decorated_definition", "ambient_declaration"]);
const FIELDS = new Set(["public_field_definition", "field_definition"]);
const HOLDERS = new Set(["expression_statement", "lexical_declaration", "variable_declaration"]);

/** Walks a syntax tree in the order of the file. Never throws; broken parts are skipped. */
export function definitionsOf(root: Node): Definition[] {
  const found: Definition[] = [];
  let looked = 0;

  const add = (node: Node, depth: number, text: string) => {
    const head = clipLine(text, HEAD_CHARACTERS);
    if (head !== "" && found.length < FILE_DEFINITIONS)
      found.push({ line: node.startPosition.row + 1, depth, text: head });
  };

  /** @param shown the statement that begins with `export` or a decorator, if any */
  const visit = (node: Node, depth: number, shown: Node) => {
    if (++looked > NODES || found.length >= FILE_DEFINITIONS) return;
    if (WRAPPERS.has(node.type)) {
      const inner =
        node.childForFieldName("declaration") ??
        node.childForFieldName("definition") ??
        node.namedChildren.find((child) => child !== null && isDefined(child));
      if (inner) visit(inner, depth, shown);
      else if (node.type === "export_statement") add(shown, depth, headOf(node, node));
      return;
    }
    if (NAMED.has(node.type)) {
      if (depth > 0 && TOP_ONLY.has(node.type)) return;
      add(shown, depth, headOf(node, shown));
      const body = bodyOf(node);
      if (body && depth < DEEPEST) children(body, depth + 1);
      return;
    }
    if (HOLDERS.has(node.type)) return variables(node, depth, shown);
    if (FIELDS.has(node.type)) return field(node, depth);
    // Branches, calls and the like hold no definitions that other code could use.
  };

  const variables = (node: Node, depth: number, shown: Node) => {
    for (const one of node.namedChildren) {
      if (!one) continue;
      if (one.type === "variable_declarator") {
        const value = one.childForFieldName("value");
        const made = value && functionIn(value);
        if (!made && depth > 0) continue;
        const body = made ? bodyOf(made) : null;
        const end = body ?? (made ? null : value);
        add(shown, depth, textUpTo(shown, end, one));
        if (body && depth < DEEPEST) children(body, depth + 1);
      } else if (depth === 0) statement(one, shown);
    }
  };

  /** Adds a statement at the top level: `app.get("/todos")`, `module.exports`, `size = 3`. */
  const statement = (node: Node, shown: Node) => {
    if (node.type === "internal_module") return visit(node, 0, shown);
    if (node.type === "assignment_expression" || node.type === "assignment")
      add(shown, 0, node.childForFieldName("left")?.text ?? "");
    if (node.type !== "call_expression") return;
    const name = node.childForFieldName("function");
    const first = node.childForFieldName("arguments")?.namedChildren[0];
    if (!name || !first || !["string", "template_string"].includes(first.type)) return;
    if (name.text.length <= 40) add(shown, 0, `${name.text}(${clipLine(first.text, 80)})`);
  };

  const field = (node: Node, depth: number) => {
    const value = node.childForFieldName("value");
    const made = value && functionIn(value);
    if (made) add(node, depth, textUpTo(node, bodyOf(made), node));
  };

  const children = (node: Node, depth: number) => {
    for (const child of node.namedChildren) if (child) visit(child, depth, child);
  };

  children(root, 0);
  return found;
}

const isDefined = ({ type }: Node) => NAMED.has(type) || HOLDERS.has(type);

/** The function in a value: the value itself, or the argument of a wrapper such as `memo(() => …)`. */
function functionIn(value: Node): Node | undefined {
  if (FUNCTIONS.has(value.type)) return value;
  if (value.type !== "call_expression") return undefined;
  // `items.map(…)` takes a function as well, but is not a definition.
  const name = value.childForFieldName("function");
  if (!name || !/^(?:React\.)?\w+$/.test(name.text)) return undefined;
  const given = value.childForFieldName("arguments")?.namedChildren[0];
  return given && FUNCTIONS.has(given.type) ? given : undefined;
}

function bodyOf(node: Node): Node | null {
  const named = node.childForFieldName("body");
  if (named) return named;
  return node.namedChildren.find((child) => child !== null && BODIES.has(child.type)) ?? null;
}

function headOf(node: Node, shown: Node): string {
  return textUpTo(shown, bodyOf(node), node);
}

/** The text of a statement before `end`, without leading keywords. */
function textUpTo(shown: Node, end: Node | null, node: Node): string {
  const declaration = shown.text;
  // In a declaration of several names, each is shown from its own name on.
  const start = node.type === "variable_declarator" ? "" : undefined;
  const text =
    start === undefined || first(shown, node)
      ? declaration.slice(0, end ? end.startIndex - shown.startIndex : undefined)
      : node.text.slice(0, end ? end.startIndex - node.startIndex : undefined);
  const trimmed = text.trimEnd();
  if (trimmed.endsWith("=>")) return `${trimmed.slice(0, -2).trimEnd()} =>`;
  return /[{=:;]$/.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : text;
}

/** Whether a name is the first one that its statement declares. */
function first(shown: Node, node: Node): boolean {
  const before = node.previousNamedSibling;
  return before === null || before.startIndex < shown.startIndex;
}
