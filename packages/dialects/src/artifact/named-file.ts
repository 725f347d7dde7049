import { contradicts, isFileName } from "./file-names.ts";
import { projectPath } from "./project-path.ts";

/** A file that is named where a fence opens. */
export interface NamedFile {
  path: string;
  /**
   * `label`: the fence is that file (its info string, a line that is only the path, a comment in its first line).
   * `sentence`: a heading, or a line that ends in a colon, names this one file among other words. `content`: nothing names
   * it, but it is a whole page, or what a page of the same answer links to.
   */
  by: "label" | "sentence" | "content";
}

const SEGMENT = String.raw`[\w@.()[\]$+-]+`;
/** A name with an ending, or one that begins with a dot; or of several folders. */
const PATH = String.raw`(?:[\\/]|\.\/)?(?:${SEGMENT}[\\/])*(?:[\w@()[\]$+-][\w@.()[\]$+-]*)?\.[a-z][\w-]{0,20}(?:\.\w{1,12})?`;
/** The few files that have none. */
const BARE = String.raw`(?:${SEGMENT}[\\/])*(?:[A-Z][a-z]+file|LICENSE)`;
const NAMED = `(?:${PATH}|${BARE})`;
/** A word or two and a colon, in any language: "File:", "文件：". */
const LABEL = String.raw`(?:[^\s:：\x60]{1,24}(?:[ \t][^\s:：\x60]{1,24})?[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*)?`;

/** A line that is only a path: behind marks and a number, in front of a remark in brackets. */
const ALONE = new RegExp(
  String.raw`^[^\p{L}\p{N}\n.\\/@_$([]*(?:\(?\d{1,2}[.)][ \t]*)?[*_"'\x60]*${LABEL}[*_"'\x60([]*(${NAMED})[*_"'\x60)\]]*(?:[ \t]*[(（][^)）\n]{1,40}[)）])?[ \t]*[:：]?[\s*_]*$`,
  "u",
);
const IN_INFO = new RegExp(String.raw`(?:^|[\s:{"'=])(${NAMED})(?=[\s"'}]|$)`);
const IN_COMMENT = new RegExp(
  String.raw`^\s*(?:\/\/+|#+|\/\*+|<!--|--|;+|%+)[ \t]*${LABEL}(${NAMED})[ \t]*(?:\*\/|-->)?\s*$`,
);
const IN_LINE = new RegExp(String.raw`(?<![\w@./\\:-])(${NAMED})(?![\w/\\(-])`, "g");
/** What belongs to what follows: a heading, a line in bold, one that ends in a colon. */
const LEADS = /^\s*#{1,6}\s|^\s*\*\*.*\*\*[\s:：]*$|[:：][\s*_]*$/;
/** Where a passage of a file is quoted: lines 12 to 15 of it. */
const QUOTED_LINES = /^\d+:\d+:/;
/** Characters of a line that are looked at, its last ones: matching takes the square of them. */
const LINE_CHARACTERS = 300;
const THROW_AWAY = /^(?:te?mp\/|(?:.*\/)?(?:te?mp|test|example|sample)\.[a-z]+$)/i;

/**
 * The file that a fence is said to be, by its info string, the line before it or its first line. No word is understood:
 * what counts is where the path stands.
 * @param info the fence's info string
 * @param before the line before the fence
 * @param firstLine the first line in the fence that is not blank
 */
export function findNamedFile(
  info: string,
  before: string,
  firstLine: string,
): NamedFile | undefined {
  if (QUOTED_LINES.test(info)) return undefined;
  const line = before.slice(-LINE_CHARACTERS);
  const language = /^[^\s:{]*/.exec(info)?.[0] ?? "";
  const alone = fileOf(ALONE.exec(line)?.[1]);
  const label =
    fileOf(IN_INFO.exec(info)?.[1]) ??
    (alone !== undefined && isOtherCode(language, alone) ? undefined : alone) ??
    fileOf(IN_COMMENT.exec(firstLine)?.[1]);
  if (label !== undefined) return { path: label, by: "label" };
  if (!LEADS.test(line)) return undefined;
  const named = [...line.matchAll(IN_LINE)].flatMap(([, written]) => fileOf(written) ?? []);
  const [path] = named;
  if (path === undefined || new Set(named).size > 1 || THROW_AWAY.test(path)) return undefined;
  // `res.json` is a file's name and a method's: what it is called with says which.
  if (contradicts(language, path) || (!path.includes("/") && isUsed(path, firstLine)))
    return undefined;
  return { path, by: "sentence" };
}

/** Whether a name is that of code in another language than the fence's. */
const isOtherCode = (language: string, path: string) =>
  contradicts(language, path) && !/\.(?:json\w?|html?|[sp]?css|mdx?|txt)$|^\.|file$/i.test(path);

/** Whether a line of code uses a dotted name: calls it, assigns to it, goes on behind it. */
const isUsed = (name: string, code: string) =>
  code
    .split(name)
    .slice(1)
    .some((behind) => /^\s*(?:\(|=(?![=>])|\.\w|;)/.test(behind));

/** The path of a file as the project knows it; undefined for what is no file's name. */
function fileOf(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const isWindows = written.includes("\\") && !written.includes("/");
  const checked = projectPath(isWindows ? written.replaceAll("\\", "/") : written, true);
  return checked.ok && isFileName(checked.path) ? checked.path : undefined;
}

/** A page from its first line on. */
const PAGE = /^\s*<(?:!doctype html|html)\b/i;
const LINKED = /<(?:link|script)\b[^<>]{0,300}?\b(?:href|src)\s*=\s*["']([^"'<>\s]{1,200})["']/gi;

/**
 * What a fence that nothing names can only be: the page of a project, or the one file of its language that a page of the same
 * answer links to.
 * @param page the text of that page; "" if there is none
 */
export function findUnnamed(
  language: string,
  firstLine: string,
  page: string,
): NamedFile | undefined {
  if (PAGE.test(firstLine)) return page === "" ? { path: "index.html", by: "content" } : undefined;
  const ending = { css: /\.css$/i, js: /\.m?js$/i, javascript: /\.m?js$/i }[language.toLowerCase()];
  const linked = ending && [...page.matchAll(LINKED)].flatMap(([, link = ""]) => ending.test(link) ? fileOf(link) ?? [] : []); // prettier-ignore
  const [path] = linked ?? [];
  return path !== undefined && linked?.length === 1 ? { path, by: "content" } : undefined;
}
