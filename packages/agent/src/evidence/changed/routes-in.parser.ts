import { posix } from "node:path";
import { parser } from "@lezer/javascript";
import type { SyntaxNode } from "@lezer/common";
import { withoutEnding } from "./without-ending.ts";

const FILE_CHARS = 200_000;

/**
 * Finds the routes in a source file that show given names or a given file.
 * The third parameter gives names that the file uses, or a file that it imports.
 */
export function parse(
  text: string,
  path: string,
  { names = [], target }: { names?: readonly string[]; target?: string },
): string[] {
  if (text.length > FILE_CHARS) return [];
  const tree = parser.configure({ dialect: /\.[cm]?ts$/.test(path) ? "ts" : "ts jsx" }).parse(text);
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  const trackedNames = new Set(names);
  const places: SyntaxNode[] = [];
  if (target !== undefined)
    tree.iterate({
      enter({ name, node }) {
        if (name !== "String" || !leadsTo(textOf(node).slice(1, -1), path, target)) return;
        const { parent } = node;
        if (parent?.name === "ImportDeclaration")
          for (const local of definitionsIn(parent)) trackedNames.add(textOf(local));
        else {
          places.push(node);
          const storedIn = keptIn(node);
          if (storedIn) trackedNames.add(textOf(storedIn));
        }
      },
    });
  if (trackedNames.size > 0)
    tree.iterate({
      enter({ name, node }) {
        if (name === "ImportDeclaration") return false;
        if ((name === "VariableName" || name === "JSXIdentifier") && trackedNames.has(textOf(node)))
          places.push(node);
        return true;
      },
    });
  return [...new Set(places.flatMap((node) => routeAround(node, textOf) ?? []))];
}

/** Whether an import refers to a given file, by a relative path or by the end of a path behind an alias. */
function leadsTo(specifier: string, from: string, target: string): boolean {
  const targetPath = withoutEnding(target).replace(/\/index$/, "");
  const named = withoutEnding(specifier).replace(/\/index$/, "");
  if (named.startsWith(".")) return posix.join(posix.dirname(from), named) === targetPath;
  const end = named.replace(/^[@~#$][\w-]*\//, "").replace(/^\//, "");
  return end !== "" && (targetPath === end || targetPath.endsWith(`/${end}`));
}

function definitionsIn(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((one) => {
    if (one.name === "VariableDefinition") found.push(one.node);
  });
  return found;
}

/** The variable that holds a dynamic import: `const About = lazy(() => import("./About"))`. */
function keptIn(node: SyntaxNode): SyntaxNode | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (at.name === "ObjectExpression" || at.name === "Block") return undefined;
    if (at.name === "VariableDeclaration") return at.getChild("VariableDefinition") ?? undefined;
  }
  return undefined;
}

/** The joined path of the routes that enclose a node, outermost first, or undefined if it is in none. */
function routeAround(node: SyntaxNode, textOf: (node: SyntaxNode) => string): string | undefined {
  const parts: string[] = [];
  let inner = node;
  for (let at = node.parent; at; inner = at, at = at.parent) {
    const part =
      at.name === "ObjectExpression"
        ? pathOfObject(at, textOf)
        : at.name === "JSXElement"
          ? pathOfElement(at, textOf)
          : at.name === "ArgList"
            ? pathOfCall(at, inner, node, textOf)
            : undefined;
    if (part === undefined) continue;
    parts.unshift(part);
    // A nested route may state its full path.
    if (part.startsWith("/")) break;
  }
  if (parts.length === 0) return undefined;
  return `/${parts.join("/")}`.replace(/\/{2,}/g, "/").replace(/(?!^)\/$/, "");
}

function pathOfObject(
  object: SyntaxNode,
  textOf: (node: SyntaxNode) => string,
): string | undefined {
  for (const property of object.getChildren("Property")) {
    const name = property.getChild("PropertyDefinition");
    const value = property.getChild("String");
    if (name && value && textOf(name) === "path") return textOf(value).slice(1, -1);
  }
  return undefined;
}

function pathOfElement(
  element: SyntaxNode,
  textOf: (node: SyntaxNode) => string,
): string | undefined {
  const tag = element.getChild("JSXOpenTag") ?? element.getChild("JSXSelfClosingTag");
  for (const attribute of tag?.getChildren("JSXAttribute") ?? []) {
    const name = attribute.getChild("JSXIdentifier");
    const value = attribute.getChild("JSXAttributeValue");
    const string = value && /^["']([^"'{}]*)["']$/.exec(textOf(value));
    if (name && string && textOf(name) === "path") return string[1];
  }
  return undefined;
}

/**
 * The path in `route("docs", "routes/docs.tsx")`, which names the file that shows it, or in `app.get("/docs", showDocs)`.
 * An event name also precedes a function, as in `on("click", add)`, but is no path.
 */
function pathOfCall(
  list: SyntaxNode,
  inner: SyntaxNode,
  place: SyntaxNode,
  textOf: (node: SyntaxNode) => string,
): string | undefined {
  const first = list.getChild("String");
  if (!first || first.to >= inner.from) return undefined;
  const path = textOf(first).slice(1, -1);
  return path.startsWith("/") || path === "*" || place.name === "String" ? path : undefined;
}
