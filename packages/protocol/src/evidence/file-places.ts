import { readProjectPath, type ProjectPath } from "../project-path/index.ts";

/** A line of a file, as compilers, browsers and Node name it: `src/App.tsx:9:1`, `src/App.tsx(9,1)`. */
const PLACE =
  /(?<![\w@.+~[\]-])((?:[\w@.+~[\]-]{1,100}\/){0,20}[\w@.+~[\]-]{1,100}\.[a-z]\w{0,9})(?::(\d{1,6})(?::(\d{1,6}))?|\((\d{1,6}),(\d{1,6})\))/gi;
/** Addresses of these are their files'. */
const SERVED_FROM = ["", "public/", "static/"];

/** A line of one of the project's files. */
export interface PlaceInSource {
  path: ProjectPath;
  line: number;
  column: number;
}

/**
 * A text cut at the places that it names of files that there are; the pieces joined are the text.
 * @param files those that there are
 */
export function filePlaces(
  text: string,
  files: { has(path: ProjectPath): boolean },
): { text: string; place?: PlaceInSource }[] {
  const pieces: { text: string; place?: PlaceInSource }[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, named = "", line, column, lineIn, columnIn] = match;
    const path = fileOf(named, files);
    if (path === undefined) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    const place = { path, line: Number(line ?? lineIn), column: Number(column ?? columnIn ?? 1) };
    pieces.push({ text: whole, place });
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function fileOf(
  named: string,
  files: { has(path: ProjectPath): boolean },
): ProjectPath | undefined {
  const plain = named.replace(/^(?:\.\/)+/, "").replace(/^home\/project\//, "");
  for (const folder of SERVED_FROM) {
    const read = readProjectPath(folder + plain);
    if (read.ok && files.has(read.path)) return read.path;
  }
  return undefined;
}
