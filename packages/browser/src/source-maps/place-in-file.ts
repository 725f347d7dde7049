import { extname } from "node:path/posix";
import { OWN_ROOT } from "@treadle/probe";

/** Reads one of the project's own files; undefined if it does not exist. */
export type ReadSource = (path: string) => Promise<string | undefined>;

/** Elements inserted by the gateway, which are in no file. */
const OWN = new RegExp(`<script src="${OWN_ROOT}[^>]*></script>`, "g");
/** Folders whose files servers deliver under their own names. */
const SENT_FROM = ["", "public/", "static/"];

/**
 * Finds a position of a served text in its source file without a map. A server may insert lines (a
 * dev server into its pages) or serve generated text, so the line itself is searched.
 * @param sent the text as served by the app
 * @param pathname decoded, without a leading `/`
 * @returns `file:line:column`, counted from 1; undefined if no file has that line
 */
export function placeInFile(
  sent: string,
  pathname: string,
  read: ReadSource,
): (line: number, column: number) => Promise<string | undefined> {
  const lines = sent.split("\n").map((line) => line.replaceAll(OWN, ""));
  const files = new Map<string, Promise<string[] | undefined>>();
  const linesOf = (file: string) => {
    const known = files.get(file) ?? read(file).then((text) => text?.split("\n"));
    files.set(file, known);
    return known;
  };
  return async (line, column) => {
    const text = lines[line - 1];
    if (!text?.trim()) return undefined;
    for (const file of filesFor(pathname)) {
      const own = await linesOf(file);
      const at = own && sameLine(lines, line - 1, own);
      if (at !== undefined) return `${file}:${at + 1}:${columnIn(own![at]!, text, column)}`;
    }
    return undefined;
  };
}

/** The browser's column includes the gateway's insertions in the line. */
function columnIn(own: string, sent: string, column: number): number {
  const moved = column + indent(own) - indent(sent);
  return column > sent.length || moved < 1 ? 1 : moved;
}

function filesFor(pathname: string): string[] {
  const names = pathname === "" || pathname.endsWith("/") ? [`${pathname}index.html`] : [pathname];
  if (names[0] === pathname && extname(pathname) === "")
    names.push(`${pathname}.html`, `${pathname}/index.html`);
  return names.flatMap((name) => SENT_FROM.map((folder) => folder + name));
}

/**
 * The line of `own` equal to line `at` of `lines`; among repeated lines, the one with the same
 * index.
 */
function sameLine(lines: string[], at: number, own: string[]): number | undefined {
  const wantedLine = lines[at]!.trim();
  const isIt = (line: string) => line.trim() === wantedLine;
  if (own[at] !== undefined && isIt(own[at]) && lines.length === own.length) return at;
  let before = lines.slice(0, at).filter(isIt).length;
  const found = own.findIndex((line) => isIt(line) && before-- === 0);
  return found === -1 ? undefined : found;
}

const indent = (line: string) => line.length - line.trimStart().length;
