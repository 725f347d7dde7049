import type { SourceLanguage } from "./grammars.ts";

/** A part of a file in one language, with the number of lines before it. */
export interface Source {
  grammar: SourceLanguage;
  text: string;
  linesBefore: number;
}

const BY_ENDING: Record<string, SourceLanguage> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  css: "css",
  py: "python",
};

const WITH_SCRIPTS = new Set(["html", "htm", "vue", "svelte", "astro"]);

/** Extensions of the files that have an outline. */
export const OUTLINED: readonly string[] = [...Object.keys(BY_ENDING), ...WITH_SCRIPTS];

export const endingOf = (path: string) => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";

/** The parts of a file that can be parsed; undefined if its kind has no outline. */
export function sourcesOf(path: string, text: string): Source[] | undefined {
  const ending = endingOf(path);
  const grammar = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  if (grammar) return [{ grammar, text, linesBefore: 0 }];
  if (!WITH_SCRIPTS.has(ending)) return undefined;
  const scripts = scriptsOf(text);
  return ending === "astro" ? [...frontMatter(text), ...scripts] : scripts;
}

const linesIn = (text: string) => text.split("\n").length - 1;

function frontMatter(text: string): Source[] {
  const begun = /^\s*---\r?\n/.exec(text)?.[0];
  if (begun === undefined) return [];
  const end = text.indexOf("\n---", begun.length - 1);
  if (end === -1) return [];
  return [
    {
      grammar: "typescript",
      text: text.slice(begun.length, end + 1),
      linesBefore: linesIn(begun),
    },
  ];
}

/** Limited, so that a file full of opening tags is not scanned again for each of them. */
const OPENING = /<script\b([^<>]{0,500})>/gi;
const NO_CODE = /\btype\s*=\s*["']?(?!module|text\/javascript|application\/javascript)/i;

function scriptsOf(text: string): Source[] {
  const found: Source[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (;;) {
    OPENING.lastIndex = from;
    const opening = OPENING.exec(text);
    if (!opening) return found;
    const start = opening.index + opening[0].length;
    const end = lower.indexOf("</script", start);
    const attributes = opening[1] ?? "";
    if (!NO_CODE.test(attributes)) {
      const lang = /\blang\s*=\s*["']?([a-z]+)/i.exec(attributes)?.[1]?.toLowerCase();
      found.push({
        grammar: lang === "ts" ? "typescript" : lang === "tsx" ? "tsx" : "javascript",
        text: text.slice(start, end === -1 ? undefined : end),
        linesBefore: linesIn(text.slice(0, start)),
      });
    }
    if (end === -1) return found;
    from = end;
  }
}
