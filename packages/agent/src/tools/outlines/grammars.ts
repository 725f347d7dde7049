import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { onceDone } from "@treadle/protocol/lifecycle";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";

/** Supported languages, by the name of their grammar. */
export type SourceLanguage = "typescript" | "tsx" | "javascript" | "css" | "python";

const PACKAGE = "@vscode/tree-sitter-wasm";

/** Retried after a failure, for example when no file descriptor was free. */
const runtime = onceDone(load);
const languages = new Map<SourceLanguage, Promise<TreeSitter.Language>>();

/** Creates a parser; each grammar is loaded from disk on first use. Delete the parser after use. */
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
  // A CommonJS module whose exports Node cannot detect.
  const parts = (loaded as unknown as { default: typeof loaded }).default;
  await parts.Parser.init();
  return parts;
}
