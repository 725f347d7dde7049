import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { onceDone } from "@treadle/protocol/lifecycle";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";

/** Languages that can be read, by the name of their grammar. */
export type SourceLanguage = "typescript" | "tsx" | "javascript" | "css" | "python";

const PACKAGE = "@vscode/tree-sitter-wasm";

/** What could not be loaded (no file descriptor is left) is loaded when it is asked for again. */
const runtime = onceDone(load);
const languages = new Map<SourceLanguage, Promise<TreeSitter.Language>>();

/** A parser of that language; grammars are read from disk when the first file of theirs is. Delete it after use. */
export async function parserOf(grammar: SourceLanguage): Promise<TreeSitter.Parser> {
  const { Parser, Language } = await runtime();
  const folder = dirname(createRequire(import.meta.url).resolve(PACKAGE));
  let language = languages.get(grammar);
  if (!language) {
    language = Language.load(join(folder, `tree-sitter-${grammar}.wasm`));
    languages.set(grammar, language);
    language.catch(() => languages.delete(grammar));
  }
  return new Parser().setLanguage(await language);
}

async function load() {
  const loaded = await import("@vscode/tree-sitter-wasm");
  // A CommonJS module whose names Node does not see from outside.
  const parts = (loaded as unknown as { default: typeof loaded }).default;
  await parts.Parser.init();
  return parts;
}
