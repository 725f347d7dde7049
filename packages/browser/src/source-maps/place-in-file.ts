import { extname } from "node:path/posix";
import { OWN_ROOT } from "../probe/own-paths.ts";

/** Text of one of the project's own files; undefined where there is none. */
export type ReadSource = (path: string) => Promise<string | undefined>;

/** What the gateway puts into pages: no part of any file. */
const OWN = new RegExp(`<script src="${OWN_ROOT}[^>]*></script>`, "g");
/** Folders that servers send files from under their own names. */
const SENT_FROM = ["", "public/", "static/"];

/**
 * Finds places of what a server sent in the file that it was made of, where no map says so. A server may put lines in
 * (a dev server into its pages) or send what is no file at all, so that the line itself is looked for.
 * @param sent as the app's own server sent it
 * @param pathname decoded, without a leading `/`
 * @returns `file:line:column`, counted from 1; undefined where no file has that line
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

/** The browser counts what the gateway put into a line, wherever in it that was. */
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

/** The line of `own` that reads as line `at` of `lines`: the second such of the one is the second of the other. */
function sameLine(lines: string[], at: number, own: string[]): number | undefined {
  const wantedLine = lines[at]!.trim();
  const isIt = (line: string) => line.trim() === wantedLine;
  if (own[at] !== undefined && isIt(own[at]) && lines.length === own.length) return at;
  let before = lines.slice(0, at).filter(isIt).length;
  const found = own.findIndex((line) => isIt(line) && before-- === 0);
  return found === -1 ? undefined : found;
}

const indent = (line: string) => line.length - line.trimStart().length;
