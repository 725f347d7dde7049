import { contradicts, isFileName } from "./file-names.ts";
import { projectPath } from "./project-path.ts";

/** A file that is named where a fence opens. */
export interface NamedFile {
  path: string;
  /**
   * `label`: the fence is that file (its info string, a line that is only the path, a comment in its first line).
   * `sentence`: a heading, or a line that ends in a colon, names this one file among other words.
   */
  by: "label" | "sentence";
}

const SEGMENT = String.raw`[\w@.()[\]$+-]+`;
/** A name with an ending, or one that begins with a dot; or of several folders. */
const PATH = String.raw`(?:[\\/]|\.\/)?(?:${SEGMENT}[\\/])*(?:[\w@()[\]$+-][\w@.()[\]$+-]*)?\.[a-z][\w-]{0,20}(?:\.\w{1,12})?`;
/** The few files that have none. */
const BARE = String.raw`(?:${SEGMENT}[\\/])*(?:[A-Z][a-z]+file|LICENSE)`;
const NAMED = `(?:${PATH}|${BARE})`;
/** A word or two and a colon, in any language: "File:", "文件：". */
const LABEL = String.raw`(?:[^\s:：\`]{1,24}(?:[ \t][^\s:：\`]{1,24})?[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*)?`;

const ALONE = new RegExp(
  String.raw`^[\s#>*_"'\`+-]*(?:\(?\d{1,2}[.)][ \t]*)?[*_"'\`]*${LABEL}[*_"'\`([]*(${NAMED})[*_"'\`)\]]*[ \t]*[:：]?[\s*_]*$`,
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
  const label =
    fileOf(IN_INFO.exec(info)?.[1]) ??
    fileOf(ALONE.exec(line)?.[1]) ??
    fileOf(IN_COMMENT.exec(firstLine)?.[1]);
  if (label !== undefined) return { path: label, by: "label" };
  if (!LEADS.test(line)) return undefined;
  const named = [...line.matchAll(IN_LINE)].flatMap(([, written]) => fileOf(written) ?? []);
  const [path] = named;
  if (path === undefined || new Set(named).size > 1 || THROW_AWAY.test(path)) return undefined;
  const language = /^[^\s:{]*/.exec(info)?.[0] ?? "";
  // `res.json` is a file's name and a method's: what it is called with says which.
  if (!path.includes("/") && (contradicts(language, path) || isUsed(path, firstLine)))
    return undefined;
  return { path, by: "sentence" };
}

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
