import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The folders with prose for the model. */
const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["context/prompt", "context/skills/own", "tools"];

/** One sentence of the texts for the model, without list markers. */
export interface ToldSentence {
  /** Relative to `packages/agent/src`. */
  file: string;
  text: string;
}

export function toldSentences(): ToldSentence[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(ROOT, folder, name))
      .sort()
      .flatMap((path) =>
        sentencesOf(readFileSync(path, "utf8")).map((text) => ({
          file: relative(ROOT, path),
          text,
        })),
      ),
  );
}

/**
 * Splits prose into sentences: a code block is one sentence, headings and front matter are omitted.
 */
export function sentencesOf(markdown: string): string[] {
  const sentences: string[] = [];
  let block: string[] = [];
  let isCode = false;
  const end = () => {
    const text = block.join("\n").trim();
    block = [];
    if (text === "") return;
    // Punctuation within code or quotes does not end a sentence.
    if (isCode) sentences.push(text);
    else sentences.push(...text.split(/(?<=[.!?;:]["”)]?)\s+(?=[\p{Lu}`“"(])/u).filter(Boolean));
  };
  for (const line of markdown.replace(/^---\n[^]*?\n---\n/, "").split("\n")) {
    const isFence = line.startsWith("```");
    const isItem = /^\s*[-*] /.test(line);
    if (isFence || (!isCode && (line.trim() === "" || line.startsWith("#") || isItem))) end();
    if (isFence) isCode = !isCode;
    else if (isCode || !line.startsWith("#"))
      block.push(isCode ? line : line.replace(/^\s*[-*] /, ""));
  }
  end();
  return sentences;
}
