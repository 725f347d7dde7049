import { readProjectPath, type ProjectPath } from "../project-path/index.ts";

/** Characters of file names, with `%` for those encoded in addresses. */
const SIGN = String.raw`[\p{L}\p{M}\p{N}_@.+~%[\]-]`;
/** Path of the project in the sandbox: a name that follows may contain spaces. */
const ROOT = "home/project/";
/**
 * A location in a file as written by compilers, browsers and Node: `src/App.tsx:9:1`,
 * `src/App.tsx(9,1)`.
 */
const PLACE = new RegExp(
  String.raw`(?<!${SIGN})(?:${ROOT}(?<below>[^:()"'<>|\n]{1,200})|(?<named>(?:${SIGN}{1,100}/){0,20}${SIGN}{1,100}\.[a-z]\w{0,9}))` +
    String.raw`(?::(?<line>\d{1,6})(?::(?<column>\d{1,6}))?|\((?<lineIn>\d{1,6}),(?<columnIn>\d{1,6})\))`,
  "giu",
);
/** Prefixes of files whose address is relative to them. */
const SERVED_FROM = ["", "public/", "static/"];

/** A line of one of the project's files. */
export interface PlaceInSource {
  path: ProjectPath;
  line: number;
  column: number;
}

/**
 * Splits a text at locations in existing files; joining the pieces gives the text.
 * @param files the existing files
 */
export function filePlaces(
  text: string,
  files: { has(path: ProjectPath): boolean },
): { text: string; place?: PlaceInSource }[] {
  const pieces: { text: string; place?: PlaceInSource }[] = [];
  let end = 0;
  const place = new RegExp(PLACE);
  for (let match = place.exec(text); match; match = place.exec(text)) {
    const { below, named = below!, line, column, lineIn, columnIn } = match.groups!;
    const path = fileOf(named, files);
    if (path === undefined) {
      // The text up to here was an ordinary sentence; the rest of the match may name another file.
      if (below !== undefined) place.lastIndex = match.index + ROOT.length;
      continue;
    }
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({
      text: match[0],
      place: { path, line: Number(line ?? lineIn), column: Number(column ?? columnIn ?? 1) },
    });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function fileOf(
  named: string,
  files: { has(path: ProjectPath): boolean },
): ProjectPath | undefined {
  const plain = named.replace(/^(?:\.\/)+/, "");
  for (const written of new Set([plain, decoded(plain)]))
    for (const folder of SERVED_FROM) {
      const read = readProjectPath(folder + written);
      if (read.ok && files.has(read.path)) return read.path;
    }
  return undefined;
}

/** Decodes a name from an address. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
