import { parser } from "@lezer/javascript";
import type { SyntaxNode, Tree } from "@lezer/common";
import type { WrittenCode, WrittenFunction } from "./written-code.ts";

/** Maximum length of a parsed file, in characters; a longer one is unknown. */
const FILE_CHARS = 300_000;
const NAME_CHARS = 60;
/**
 * Minimum number of lines for which an unnamed function is named after the call that it is passed
 * to.
 */
const NAMED_BY_CALL_LINES = 3;

const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunction",
  "MethodDeclaration",
]);
/** Nodes around a function that give it no name. */
const WRAPS = new Set(["ParenthesizedExpression", "ArgList", "JSXAttributeValue", "JSXEscape"]);

const DIALECTS: Record<string, string> = { ts: "ts", mts: "ts", cts: "ts", tsx: "ts jsx" };

/**
 * Parses the functions of a JavaScript or TypeScript file, or of the scripts in a Vue or Svelte
 * component.
 * @param path decides the language
 * @returns undefined if it is too long
 */
export function parse(path: string, text: string): WrittenCode | undefined {
  if (text.length > FILE_CHARS) return undefined;
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? "";
  const isComponent = extension === "vue" || extension === "svelte";
  const source = isComponent ? scriptsOf(text) : text;
  const dialect = isComponent ? "ts" : (DIALECTS[extension] ?? "jsx");
  const tree = parser.configure({ dialect }).parse(source);
  const place = placesIn(source);
  return {
    functions: functionsOf(tree, source, place),
    silentLines: silentOf(tree, source, place),
    imports: importsOf(tree, source),
  };
}

/** A component's scripts with everything else replaced by blanks, so that positions stay valid. */
function scriptsOf(text: string): string {
  let scripts = "";
  for (const found of text.matchAll(/<script\b[^>]{0,500}>([^]*?)<\/script>/g)) {
    const begin = found.index + found[0].length - "</script>".length - found[1]!.length;
    scripts += blank(text.slice(scripts.length, begin)) + found[1]!;
  }
  return scripts + blank(text.slice(scripts.length));
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");

type PlaceOf = (at: number) => { line: number; column: number };

function placesIn(source: string): PlaceOf {
  const starts = [0];
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1))
    starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - starts[low]! };
  };
}

function functionsOf(tree: Tree, source: string, place: PlaceOf): WrittenFunction[] {
  const functions: WrittenFunction[] = [];
  const { ofProcess, ofServer } = handlersIn(tree, source);
  const around: number[] = [];
  tree.iterate({
    enter({ node, from, to }) {
      if (!isFunction(node)) return;
      const [start, end] = [place(from), place(to)];
      const lines = end.line - start.line + 1;
      const called = nameOf(node, source, lines);
      const parent = around.at(-1);
      const isGiven = (to: Handlers) => to.has(from) || (called !== undefined && to.has(called));
      functions.push({
        // A handler of `process`, such as for its exit, cannot be exercised, so it gets no name.
        name: isGiven(ofProcess) ? undefined : called?.replace(/\s+/g, " ").slice(0, NAME_CHARS),
        ...start,
        endLine: end.line,
        endColumn: end.column,
        parent,
        isErrorHandler:
          handlesErrors(node, source) || (takesError(node) && isGiven(ofServer)) ? true : undefined,
      });
      around.push(functions.length - 1);
    },
    leave({ node }) {
      if (isFunction(node)) around.pop();
    },
  });
  return functions;
}

/** Functions passed as handlers, by position or by name. */
type Handlers = ReadonlySet<number | string>;

/** Functions passed to `process.on` and `process.once`, and to a server (`app.use`). */
function handlersIn(tree: Tree, source: string): { ofProcess: Handlers; ofServer: Handlers } {
  const ofProcess = new Set<number | string>();
  const ofServer = new Set<number | string>();
  tree.iterate({
    enter({ name, node }) {
      if (name !== "CallExpression" || !node.firstChild) return;
      const callee = source.slice(node.firstChild.from, node.firstChild.to);
      const to = /^process\.(?:on|once)$/.test(callee)
        ? ofProcess
        : callee.endsWith(".use")
          ? ofServer
          : undefined;
      const given = to && node.getChild("ArgList");
      for (let at = given?.firstChild; at; at = at.nextSibling)
        if (at.name === "VariableName") to!.add(source.slice(at.from, at.to));
        else if (isFunction(at)) to!.add(at.from);
    },
  });
  return { ofProcess, ofServer };
}

/** Express recognises an error handler by its four parameters. */
const takesError = (node: SyntaxNode): boolean =>
  node.getChild("ParamList")?.getChildren("VariableDefinition").length === 4;

/** A method of an object literal is a property with a body. */
const isFunction = (node: SyntaxNode) =>
  FUNCTIONS.has(node.name) || (node.name === "Property" && node.getChild("Block") !== null);

function nameOf(node: SyntaxNode, source: string, lines: number): string | undefined {
  const text = (child: SyntaxNode | null) => child && source.slice(child.from, child.to);
  const own =
    node.name === "FunctionDeclaration" || node.name === "FunctionExpression"
      ? node.getChild("VariableDefinition")
      : (node.getChild("PropertyDefinition") ?? node.getChild("PrivatePropertyDefinition"));
  if (own && node.name !== "ArrowFunction") return text(own) ?? undefined;
  let call: SyntaxNode | undefined;
  let inner = node;
  for (let at = node.parent; at; inner = at, at = at.parent)
    switch (at.name) {
      case "VariableDeclaration": {
        const before = lastBefore(at, inner, "VariableDefinition");
        return text(before) ?? undefined;
      }
      case "AssignmentExpression":
        return text(at.firstChild) ?? undefined;
      case "Property":
      case "PropertyDeclaration":
      case "MethodDeclaration":
        return (
          text(at.getChild("PropertyDefinition") ?? at.getChild("PrivatePropertyDefinition")) ??
          undefined
        );
      case "JSXAttribute":
        return text(at.getChild("JSXIdentifier")) ?? undefined;
      case "ExportDeclaration":
        return "default";
      case "CallExpression":
        // `memo(forwardRef(…))` is named after its variable, `app.post("/votes", …)` after the
        // call.
        call ??= at;
        continue;
      default:
        if (WRAPS.has(at.name)) continue;
        return call && lines >= NAMED_BY_CALL_LINES ? callName(call, source) : undefined;
    }
  return call && lines >= NAMED_BY_CALL_LINES ? callName(call, source) : undefined;
}

function lastBefore(parent: SyntaxNode, child: SyntaxNode, name: string): SyntaxNode | null {
  for (let at = child.prevSibling; at; at = at.prevSibling) if (at.name === name) return at;
  return parent.getChild(name);
}

/** The path that a route is set up with. */
const ROUTE = /^["'](\/[^"']*)["']$/;
/** Matches the methods of server routers, which are named after HTTP's. */
const METHOD = /\.(get|head|post|put|patch|delete|options)$/;

function callName(call: SyntaxNode, source: string): string {
  const callee = call.firstChild ? source.slice(call.firstChild.from, call.firstChild.to) : "";
  const first = call.getChild("ArgList")?.getChild("String");
  const route = first && ROUTE.exec(source.slice(first.from, first.to));
  const method = METHOD.exec(callee)?.[1];
  // A route is named by its request path; a parameter's pattern is not helpful to people.
  if (route && method) return `${method.toUpperCase()} ${route[1]!.replace(/\{[^{}]*\}/g, "")}`;
  return first ? `${callee}(${source.slice(first.from, first.to)})` : callee;
}

/**
 * Functions passed to `.catch`, `on("error")`, `onError` or `setErrorHandler`, and those of React's
 * error boundaries.
 */
function handlesErrors(node: SyntaxNode, source: string): boolean {
  const text = (child: SyntaxNode | null | undefined) =>
    child ? source.slice(child.from, child.to) : "";
  if (
    /^(?:componentDidCatch|getDerivedStateFromError)$/.test(
      text(node.getChild("PropertyDefinition")),
    )
  )
    return true;
  const { parent } = node;
  if (parent?.name === "Property" || parent?.name === "JSXAttributeValue") {
    const named = parent.getChild("PropertyDefinition") ?? parent.parent?.getChild("JSXIdentifier");
    return /error$/i.test(text(named));
  }
  if (parent?.name !== "ArgList") return false;
  const callee = parent.parent?.firstChild;
  return (
    /^catch$|error(?:handler)?$/i.test(text(callee?.getChild("PropertyName"))) ||
    /^["'`][\w:.-]*error["'`]$/i.test(text(parent.getChild("String")))
  );
}

/** Maximum number of imports recorded per file. */
const IMPORTS = 500;

function importsOf(tree: Tree, source: string): string[] {
  const found = new Set<string>();
  const add = (text: SyntaxNode | null) => {
    if (text && found.size < IMPORTS) found.add(source.slice(text.from + 1, text.to - 1));
  };
  tree.iterate({
    enter({ name, node }) {
      if (name === "ImportDeclaration") add(node.getChild("String"));
      else if (name === "ExportDeclaration" && node.getChild("from")) add(node.getChild("String"));
      else if (name === "DynamicImport")
        add(node.getChild("ArgList")?.getChild("String") ?? node.getChild("String"));
      else if (name === "CallExpression") {
        const callee = node.firstChild;
        const called = callee ? source.slice(callee.from, callee.to) : "";
        if (called === "require" || called === "import")
          add(node.getChild("ArgList")?.getChild("String") ?? null);
      }
    },
  });
  return [...found];
}

const SILENT = new Set(["ImportDeclaration", "TypeAliasDeclaration", "InterfaceDeclaration"]);

function silentOf(tree: Tree, source: string, place: PlaceOf): Set<number> {
  const silent = new Set<number>();
  tree.iterate({
    enter({ name, node, from, to }) {
      const passesOn = name === "ExportDeclaration" && node.getChild("from") !== null;
      if (!SILENT.has(name) && !passesOn) return true;
      for (let { line } = place(from), last = place(to).line; line <= last; line++)
        silent.add(line);
      return false;
    },
  });
  for (const [index, line] of source.split("\n").entries())
    if (/^[\s{}()[\];,]*(?:\/\/.*)?$/.test(line)) silent.add(index + 1);
  return silent;
}
