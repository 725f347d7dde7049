import { declaredIn, parseJson } from "./declared.ts";
import { findEllipsis } from "./ellipsis.ts";

/** How much of a file its new content retains. */
export interface Comparison {
  /** The unit of the counts. */
  unit: "declarations" | "lines";
  /** The count in the file, and how many of them the new content retains. */
  before: number;
  held: number;
}

/** Non-blank lines without their indentation. */
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Lines that occur in every page. */
const SKELETON = /^<\/?(?:!doctype|html|head|body|main|meta|script|style|div)\b[^<>]*>$/i;

/** Compares by declarations if the language can be parsed, else by lines. */
export async function compareContents(
  path: string,
  before: string,
  after: string,
): Promise<Comparison> {
  const declared = await declaredIn(path, before);
  // A text that cannot be parsed in the file's language retains none of its declarations.
  if (declared) {
    const again = (await declaredIn(path, after)) ?? new Set();
    const held = [...declared].filter((name) => again.has(name)).length;
    return { unit: "declarations", before: declared.size, held };
  }
  const own = linesOf(before).filter((line) => !/\.html?$/i.test(path) || !SKELETON.test(line));
  const lines = new Set(own);
  const again = new Set(linesOf(after));
  const held = [...lines].filter((line) => again.has(line)).length;
  return { unit: "lines", before: lines.size, held };
}

/** Whether the new content retains more than half of the file. */
export const holdsMost = ({ before, held }: Comparison): boolean =>
  before === 0 || held * 2 > before;

/**
 * Why the content must not replace the file, as a sentence: it omits most of the file's
 * declarations and has a comment that stands for them, in any language. Undefined if it may.
 */
export async function whyLeftOut(
  path: string,
  content: string,
  before: string,
): Promise<string | undefined> {
  const dots = findEllipsis(path, content, before);
  if (dots === undefined) return undefined;
  const comparison = await compareContents(path, before, content);
  if (holdsMost(comparison)) return undefined;
  const { held, before: had, unit } = comparison;
  return `${JSON.stringify(dots)} stands for what is left out, and only ${held} of the ${had} ${unit} of ${path} are in the new content.`;
}

export const isScript = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?)$/i.test(path);
const IMPORT =
  /^[ \t]*(?:import\s+(?:type\s+)?([^"';\n]{1,400}?)\s+from\s|(?:const|let|var)\s+([^=\n]{1,400}?)\s*=\s*require\(|from\s+[\w.]+\s+import\s+([^\n#]{1,400})|import\s+([\w.,\t ]{1,400})$)/gm;

/**
 * Returns a name that the file imports or declares and that the new content uses without declaring
 * it, which shows that it is only a part. Undefined if there is none, or for languages other than
 * JavaScript, TypeScript and Python.
 */
export async function findLostName(
  path: string,
  before: string,
  after: string,
): Promise<string | undefined> {
  if (!isScript(path)) return undefined;
  const had = new Set([...importedIn(before), ...((await declaredIn(path, before)) ?? [])]);
  const has = new Set([...importedIn(after), ...((await declaredIn(path, after)) ?? [])]);
  return [...had].find((name) => !has.has(name) && isUsedOnly(name, after));
}

function importedIn(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, ...lists]) =>
    lists
      .join(" ")
      .replaceAll(/[{}()*]/g, ",")
      .split(",")
      .map(
        (part) =>
          part
            .trim()
            .split(/\s+(?:as\s+)?|\s*:\s*/)
            .at(-1) ?? "",
      )
      .filter((name) => /^[\w$]+$/.test(name)),
  );
}

/** Whether a text calls a name or reads a member of it without declaring it. */
function isUsedOnly(name: string, text: string): boolean {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false;
  const word = name.replaceAll("$", String.raw`\$`);
  const uses = new RegExp(String.raw`(?:(?<![\w$."'\x60/-])${word}(?=\(|\.\w|\[)|<${word}(?=[\s/>]))`, "u"); // prettier-ignore
  const binds = new RegExp(
    String.raw`(?:\b(?:const|let|var|function\*?|class|def|for|as|with|enum|import)\b[^=;\n]{0,200}(?<![\w$.])${word}(?![\w$]))|(?:[({,]\s*${word}\s*(?:[,)}=:]|\s*\?))`,
    "u",
  );
  return uses.test(text) && !binds.test(text);
}

/**
 * Whether the new content is a complete document by its syntax: valid JSON, or HTML from its first
 * tag to its last.
 */
export function isDocument(path: string, text: string): boolean | undefined {
  if (/\.json$/i.test(path)) return parseJson(text) !== undefined;
  if (/\.html?$/i.test(path))
    return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype|html)\b/i.test(text) && /<\/html>\s*$/i.test(text);
  return undefined;
}
