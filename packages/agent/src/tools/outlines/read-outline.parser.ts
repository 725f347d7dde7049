import { parser } from "@lezer/javascript";
import type { Node } from "@vscode/tree-sitter-wasm";
import { definitionsOf } from "./definitions.ts";
import { parserOf, type SourceLanguage } from "./grammars.ts";
import { FILE_DEFINITIONS, PARSE_MS, SOURCE_BYTES } from "./limits.ts";
import { endingOf, sourcesOf, type Source } from "./sources.ts";
import type { Definition, Outline } from "./types.ts";

/**
 * Returns the definitions in a file's text. Broken syntax gives those that can be parsed; a file
 * that takes too long, or an unknown kind, gives the reason. Rejects only if the grammars cannot be
 * loaded.
 * @param now milliseconds, monotonic
 */
export async function parse(
  path: string,
  text: string,
  now: () => number = () => performance.now(),
): Promise<Outline> {
  const sources = sourcesOf(path, text);
  if (!sources) return { ok: false, why: `there is no outline for ${kindOf(path)}` };
  if (text.length > SOURCE_BYTES)
    return { ok: false, why: `over ${SOURCE_BYTES / 1000} KB, too long for an outline` };
  const definitions: Definition[] = [];
  let brokenAt: number | undefined;
  for (const source of sources) {
    const read = await readSource(source, now);
    if (!read) return { ok: false, why: "its syntax could not be understood in time" };
    definitions.push(...read.definitions);
    brokenAt ??= read.brokenAt;
  }
  return {
    ok: true,
    definitions: definitions.slice(0, FILE_DEFINITIONS),
    brokenAt,
  };
}

async function readSource(
  { grammar, text, linesBefore }: Source,
  now: () => number,
): Promise<{ definitions: Definition[]; brokenAt?: number } | undefined> {
  const reader = await parserOf(grammar);
  const until = now() + PARSE_MS;
  // Trees live in WebAssembly memory, which is not garbage-collected.
  const tree = reader.parse(text, null, { progressCallback: () => now() > until });
  try {
    if (!tree) return undefined;
    const { rootNode } = tree;
    const isBroken = rootNode.hasError && isRefusedElsewhere(grammar, text);
    const brokenAt = isBroken ? firstError(rootNode) : undefined;
    return {
      definitions: definitionsOf(rootNode).map((one) => ({
        ...one,
        line: one.line + linesBefore,
      })),
      brokenAt: brokenAt === undefined ? undefined : brokenAt + linesBefore,
    };
  } finally {
    tree?.delete();
    reader.delete();
  }
}

/** Options of the editor's parser for each language. */
const DIALECTS: Partial<Record<SourceLanguage, string>> = {
  typescript: "ts",
  tsx: "ts jsx",
  javascript: "jsx",
};

/**
 * Whether a second parser rejects the text as well. Each lags behind the language in different
 * places (generic tagged templates here, `with { type: "json" }` there). True for languages with
 * only one parser.
 */
function isRefusedElsewhere(grammar: SourceLanguage, text: string): boolean {
  const dialect = DIALECTS[grammar];
  if (dialect === undefined) return true;
  const cursor = parser.configure({ dialect }).parse(text).cursor();
  do {
    if (cursor.type.isError) return true;
  } while (cursor.next());
  return false;
}

/** The line, from 1, of the first syntax error. */
function firstError(root: Node): number {
  let node = root;
  for (;;) {
    if (node.isError || node.isMissing) return node.startPosition.row + 1;
    const inner = node.children.find(
      (child) => child !== null && (child.hasError || child.isMissing),
    );
    if (!inner) return node.startPosition.row + 1;
    node = inner;
  }
}

function kindOf(path: string): string {
  const ending = endingOf(path);
  return ending === "" ? "files without an ending" : `.${ending} files`;
}
