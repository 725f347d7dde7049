import { posix } from "node:path";
import { parser } from "@lezer/javascript";
import type { SyntaxNode } from "@lezer/common";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { readText } from "../project/project-files.ts";
import { routeOfFile } from "./touched-routes.ts";
import { isCodeFile } from "./written-functions.ts";

/** Files that are read in search of one route, and how far up from the file itself they may be. */
const FILES_READ = 16;
const LEVELS = 3;
const FILE_CHARS = 200_000;

/**
 * Addresses on which what a file holds is shown: by the table of a router, the elements of one, or the file's own name where
 * the framework makes pages of files. Without those that take parameters.
 * @param names functions of the file that are asked about; a table in the same file may hold them
 * @param packages of the project
 */
export async function routesTo(
  workspace: Workspace,
  path: ProjectPath,
  names: readonly string[],
  packages: readonly string[],
): Promise<string[]> {
  const routes = new Set<string>();
  const seen = new Set<string>();
  let level: ProjectPath[] = [path];
  const own = routeOfFile(path, packages);
  if (own !== undefined) routes.add(own);
  const text = await readText(workspace, path);
  if (text) for (const route of routesIn(text, path, { names })) routes.add(route);
  for (let up = 0; up < LEVELS && routes.size === 0; up++) {
    const above: ProjectPath[] = [];
    for (const file of level)
      for (const importer of await namedIn(workspace, file)) {
        if (seen.has(importer) || seen.size >= FILES_READ) continue;
        seen.add(importer);
        const source = (await readText(workspace, importer)) ?? "";
        const found = routesIn(source, importer, { target: file });
        for (const route of found) routes.add(route);
        const page = routeOfFile(importer, packages);
        if (page !== undefined) routes.add(page);
        if (found.length === 0) above.push(importer);
      }
    level = above;
  }
  return [...routes].filter((route) => !/[:*[\]{}()$?]/.test(route));
}

/** Code that may bring a file in, by its name. */
async function namedIn(workspace: Workspace, path: string): Promise<ProjectPath[]> {
  const base = bare(posix.basename(path));
  const name = base === "index" ? posix.basename(posix.dirname(path)) : base;
  const { matches } = await workspace.files
    .search({ pattern: name, limit: 60 })
    .catch(() => ({ matches: [] }));
  return [...new Set(matches.map((match) => match.path))].filter(
    (file) => file !== path && isCodeFile(file),
  );
}

/**
 * The routes in a source file that show something.
 * @param what names that stand in it, or a file that it brings in
 */
export function routesIn(
  text: string,
  path: string,
  { names = [], target }: { names?: readonly string[]; target?: string },
): string[] {
  if (text.length > FILE_CHARS) return [];
  const tree = parser.configure({ dialect: /\.[cm]?ts$/.test(path) ? "ts" : "ts jsx" }).parse(text);
  const of = ({ from, to }: SyntaxNode) => text.slice(from, to);
  const wanted = new Set(names);
  const places: SyntaxNode[] = [];
  if (target !== undefined)
    tree.iterate({
      enter({ name, node }) {
        if (name !== "String" || !leadsTo(of(node).slice(1, -1), path, target)) return;
        const { parent } = node;
        if (parent?.name === "ImportDeclaration")
          for (const local of definitionsIn(parent)) wanted.add(of(local));
        else {
          places.push(node);
          const kept = keptIn(node);
          if (kept) wanted.add(of(kept));
        }
      },
    });
  if (wanted.size > 0)
    tree.iterate({
      enter({ name, node }) {
        if (name === "ImportDeclaration") return false;
        if ((name === "VariableName" || name === "JSXIdentifier") && wanted.has(of(node)))
          places.push(node);
        return true;
      },
    });
  return [...new Set(places.flatMap((node) => routeAround(node, of) ?? []))];
}

const bare = (path: string) => path.replace(/\.(?:[cm]?[jt]sx?|vue|svelte)$/, "");

/** Whether what a file says it brings in is another file: as a path from it, or as the end of one behind an alias. */
function leadsTo(specifier: string, from: string, target: string): boolean {
  const wanted = bare(target).replace(/\/index$/, "");
  const named = bare(specifier).replace(/\/index$/, "");
  if (named.startsWith(".")) return posix.join(posix.dirname(from), named) === wanted;
  const end = named.replace(/^[@~#$][\w-]*\//, "").replace(/^\//, "");
  return end !== "" && (wanted === end || wanted.endsWith(`/${end}`));
}

function definitionsIn(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((one) => {
    if (one.name === "VariableDefinition") found.push(one.node);
  });
  return found;
}

/** The variable that holds what is brought in where it stands: `const About = lazy(() => import("./About"))`. */
function keptIn(node: SyntaxNode): SyntaxNode | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (at.name === "ObjectExpression" || at.name === "Block") return undefined;
    if (at.name === "VariableDeclaration") return at.getChild("VariableDefinition") ?? undefined;
  }
  return undefined;
}

/** The path of the routes around a place, the outer ones first; undefined where it lies in none. */
function routeAround(node: SyntaxNode, of: (node: SyntaxNode) => string): string | undefined {
  const parts: string[] = [];
  let inner = node;
  for (let at = node.parent; at; inner = at, at = at.parent) {
    const part =
      at.name === "ObjectExpression"
        ? pathOfObject(at, of)
        : at.name === "JSXElement"
          ? pathOfElement(at, of)
          : at.name === "ArgList"
            ? pathOfCall(at, inner, of)
            : undefined;
    if (part === undefined) continue;
    parts.unshift(part);
    // The path of a route may be said in whole.
    if (part.startsWith("/")) break;
  }
  if (parts.length === 0) return undefined;
  return `/${parts.join("/")}`.replace(/\/{2,}/g, "/").replace(/(?!^)\/$/, "");
}

function pathOfObject(object: SyntaxNode, of: (node: SyntaxNode) => string): string | undefined {
  for (const property of object.getChildren("Property")) {
    const name = property.getChild("PropertyDefinition");
    const value = property.getChild("String");
    if (name && value && of(name) === "path") return of(value).slice(1, -1);
  }
  return undefined;
}

function pathOfElement(element: SyntaxNode, of: (node: SyntaxNode) => string): string | undefined {
  const tag = element.getChild("JSXOpenTag") ?? element.getChild("JSXSelfClosingTag");
  for (const attribute of tag?.getChildren("JSXAttribute") ?? []) {
    const name = attribute.getChild("JSXIdentifier");
    const value = attribute.getChild("JSXAttributeValue");
    const string = value && /^["']([^"'{}]*)["']$/.exec(of(value));
    if (name && string && of(name) === "path") return string[1];
  }
  return undefined;
}

/** `route("docs", "routes/docs.tsx")`: a path, and the file that shows it. */
function pathOfCall(
  list: SyntaxNode,
  inner: SyntaxNode,
  of: (node: SyntaxNode) => string,
): string | undefined {
  const first = list.getChild("String");
  return first && first.to < inner.from ? of(first).slice(1, -1) : undefined;
}
