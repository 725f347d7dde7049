import { contradicts, isFileName } from "./file-names.ts";
import { projectPath } from "./project-path.ts";

/** A file name found where a fence opens. */
export interface NamedFile {
  path: string;
  /**
   * `label`: the fence is that file (by its info string, a line with only the path, or a comment in
   * its first line). `sentence`: a heading, or a line ending in a colon, names this one file among
   * other words. `content`: no name, but it is a complete page, or a file to which a page in the
   * same answer links.
   */
  by: "label" | "sentence" | "content";
}

const SEGMENT = String.raw`[\w@.()[\]$+-]+`;
/** A name with an extension or a leading dot, or several folders. */
const PATH = String.raw`(?:[\\/]|\.\/)?(?:${SEGMENT}[\\/])*(?:[\w@()[\]$+-][\w@.()[\]$+-]*)?\.[a-z][\w-]{0,20}(?:\.\w{1,12})?`;
/** The few common files without an extension. */
const BARE = String.raw`(?:${SEGMENT}[\\/])*(?:[A-Z][a-z]+file|LICENSE)`;
const NAMED = `(?:${PATH}|${BARE})`;
/** One or two words and a colon, in any language: "File:", "文件：". */
const LABEL = String.raw`(?:[^\s:：\x60]{1,24}(?:[ \t][^\s:：\x60]{1,24})?[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*)?`;

/** A line with only a path: after list markers and a number, before a remark in brackets. */
const ALONE = new RegExp(
  String.raw`^[^\p{L}\p{N}\n.\\/@_$([]*(?:\(?\d{1,2}[.)][ \t]*)?[*_"'\x60]*${LABEL}[*_"'\x60([]*(${NAMED})[*_"'\x60)\]]*(?:[ \t]*[(（][^)）\n]{1,40}[)）])?[ \t]*[:：]?[\s*_]*$`,
  "u",
);
const IN_INFO = new RegExp(String.raw`(?:^|[\s:{"'=])(${NAMED})(?=[\s"'}]|$)`);
const IN_COMMENT = new RegExp(
  String.raw`^\s*(?:\/\/+|#+|\/\*+|<!--|--|;+|%+)[ \t]*${LABEL}(${NAMED})[ \t]*(?:\*\/|-->)?\s*$`,
);
const IN_LINE = new RegExp(String.raw`(?<![\w@./\\:-])(${NAMED})(?![\w/\\(-])`, "g");
/** Lines that introduce what follows: a heading, a bold line, one ending in a colon. */
const LEADS = /^\s*#{1,6}\s|^\s*\*\*.*\*\*[\s:：]*$|[:：][\s*_]*$/;
/** A citation of lines 12 to 15 of a file. */
const QUOTED_LINES = /^\d+:\d+:/;
/** Number of characters examined at the end of a line: matching takes quadratic time. */
const LINE_CHARACTERS = 300;
const THROW_AWAY = /^(?:te?mp\/|(?:.*\/)?(?:te?mp|test|example|sample)\.[a-z]+$)/i;

/**
 * The file of a fence according to its info string, the line before it or its first line. Words are
 * not interpreted; only the position of the path counts.
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
  // `res.json` may be a file or a method; the surrounding code decides.
  if (contradicts(language, path) || (!path.includes("/") && isUsed(path, firstLine)))
    return undefined;
  return { path, by: "sentence" };
}

/** Whether a name belongs to code in another language than the fence's. */
const isOtherCode = (language: string, path: string) =>
  contradicts(language, path) && !/\.(?:json\w?|html?|[sp]?css|mdx?|txt)$|^\.|file$/i.test(path);

/** Whether a line of code uses a dotted name: calls it, assigns to it, or continues it. */
const isUsed = (name: string, code: string) =>
  code
    .split(name)
    .slice(1)
    .some((behind) => /^\s*(?:\(|=(?![=>])|\.\w|;)/.test(behind));

/** The project path of a file name; undefined if it has not the form of one. */
function fileOf(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const isWindows = written.includes("\\") && !written.includes("/");
  const checked = projectPath(isWindows ? written.replaceAll("\\", "/") : written, true);
  return checked.ok && isFileName(checked.path) ? checked.path : undefined;
}

/** A page that begins in the first line. */
const PAGE = /^\s*<(?:!doctype html|html)\b/i;
const LINKED = /<(?:link|script)\b[^<>]{0,300}?\b(?:href|src)\s*=\s*["']([^"'<>\s]{1,200})["']/gi;

/**
 * The only plausible file for an unnamed fence: the page of a project, or the one file of its
 * language to which a page in the same answer links.
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
