import { isLoopback } from "../ui/loopback.ts";
import type { ProjectPath } from "@treadle/protocol";
import { filePlaces, type PlaceInSource } from "@treadle/protocol/evidence";

/** The target of a link in a terminal. */
export type LinkTarget =
  | { kind: "file"; path: ProjectPath; place?: PlaceInSource }
  /** A page served on one of the project's ports. */
  | { kind: "preview"; port: number; path: string }
  | { kind: "web"; address: string };

export interface FoundLink {
  /** The range in the text: the first character, and the one after the last. */
  from: number;
  to: number;
  target: LinkTarget;
}

/** The files and ports that links can lead to. */
export interface Known {
  files: ReadonlySet<ProjectPath>;
  ports: readonly number[];
}

const ADDRESS = /\bhttps?:\/\/[^\s"'`<>\\^{|}]+/g;
/** Punctuation and brackets after an address are not part of it. */
const TRAILING = /[.,;:!?)\]*]+$/;
/** Characters allowed in a file name. */
const SIGN = String.raw`[\p{L}\p{M}\p{N}_@.+~-]`;
/** The line reference of Python and others: `File "app/main.py", line 3`. */
const LINE_OF = /^,? (?:on )?line (\d{1,6})/;
/** Quoted text, which may be a file name with spaces; a closing quote may also open the next. */
const QUOTED = /(?=(["'`])([^"'`]{1,300})\1)./gu;
/** Anything that could be a file path. */
const PATH = new RegExp(
  String.raw`(?:${SIGN}+/)*${SIGN}*[\p{L}\p{M}\p{N}_]\.\w{1,10}(?![\p{L}\p{M}\p{N}_/])`,
  "gu",
);
/** A line of a list below a file name, as printed by ESLint: `  12:3  error  …`. */
const BELOW = /^\s+(\d{1,6}):(\d{1,6})\s+(?:error|warning|✖|⚠)\b/;
/** Maximum characters searched per line. */
const MAX_LINE_CHARS = 4_000;
/** Number of lines above that are searched for the file name. */
const MAX_LINES_ABOVE = 200;

/**
 * The links in a line of a terminal's text, in order and without overlaps.
 * @param above the lines before it, the nearest first
 */
export function findLinks(
  line: string,
  known: Known,
  above: (distance: number) => string | undefined = () => undefined,
): FoundLink[] {
  const text = line.slice(0, MAX_LINE_CHARS);
  const found: FoundLink[] = [];
  const put = (link: FoundLink) => {
    if (!found.some(({ from, to }) => link.from < to && from < link.to)) found.push(link);
  };
  for (const { index, 0: written } of text.matchAll(ADDRESS)) {
    const address = withoutTrailing(written);
    const target = addressTarget(address, known.ports);
    if (target) put({ from: index, to: index + address.length, target });
  }
  const files = { has: (path: ProjectPath) => fileNamed(path, known.files) !== undefined };
  let at = 0;
  for (const piece of filePlaces(text, files)) {
    const path = piece.place && fileNamed(piece.place.path, known.files);
    if (piece.place && path !== undefined)
      put({
        from: at,
        to: at + piece.text.length,
        target: { kind: "file", path, place: { ...piece.place, path } },
      });
    at += piece.text.length;
  }
  for (const { index, 2: named = "" } of text.matchAll(QUOTED)) {
    const path = fileNamed(named.replace(/^(?:\.\/)+/, ""), known.files);
    if (path === undefined) continue;
    const after = index + named.length + 2;
    const [more = "", line] = LINE_OF.exec(text.slice(after, after + 20)) ?? [];
    put(
      line === undefined
        ? { from: index + 1, to: after - 1, target: { kind: "file", path } }
        : {
            from: index,
            to: after + more.length,
            target: { kind: "file", path, place: { path, line: Number(line), column: 1 } },
          },
    );
  }
  for (const { index, 0: named } of text.matchAll(PATH)) {
    const path = fileNamed(named.replace(/^(?:\.\/)+/, ""), known.files);
    if (path !== undefined)
      put({ from: index, to: index + named.length, target: { kind: "file", path } });
  }
  const below = BELOW.exec(text);
  const path = below ? fileAbove(above, known.files) : undefined;
  if (below && path !== undefined) {
    const from = text.search(/\d/);
    const [line, column] = [Number(below[1]), Number(below[2])];
    const place = { path, line, column };
    put({
      from,
      to: from + below[1]!.length + below[2]!.length + 1,
      target: { kind: "file", path, place },
    });
  }
  return found.toSorted((a, b) => a.from - b.from);
}

function withoutTrailing(written: string): string {
  const cut = written.replace(TRAILING, "");
  // A bracket that the address itself opened belongs to it.
  const rest = written.slice(cut.length);
  return rest.startsWith(")") && cut.includes("(") ? `${cut})` : cut;
}

/** The target of an address that a program printed; undefined if it must not become a link. */
export function addressTarget(address: string, ports: readonly number[]): LinkTarget | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // Text before an @ can pass for the host, so such an address is not linked.
  if (url.username !== "" || url.password !== "") return undefined;
  if (!isLoopback(url.hostname)) return { kind: "web", address };
  // The person's own machine may use the same ports for something else, so only the project's open ports count.
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (!ports.includes(port)) return undefined;
  return { kind: "preview", port, path: url.pathname + url.search + url.hash };
}

/**
 * The file with that path, or the only one whose path ends with it, because programs print paths relative to their
 * working directory. Undefined if there is none, or several.
 */
function fileNamed(named: string, files: ReadonlySet<ProjectPath>): ProjectPath | undefined {
  const plain = named.replace(/^\/?home\/project\//, "");
  if (files.has(plain as ProjectPath)) return plain as ProjectPath;
  let only: ProjectPath | undefined;
  for (const path of byName(files).get(lastOf(plain)) ?? []) {
    if (!path.endsWith(`/${plain}`)) continue;
    if (only !== undefined) return undefined;
    only = path;
  }
  return only;
}

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/**
 * Files by their last path component, indexed once per list: a line may name a thousand paths in a project of as many
 * files (A78).
 */
const filesByName = new WeakMap<ReadonlySet<ProjectPath>, Map<string, ProjectPath[]>>();
function byName(files: ReadonlySet<ProjectPath>): Map<string, ProjectPath[]> {
  let found = filesByName.get(files);
  if (found) return found;
  found = new Map();
  for (const path of files) {
    const all = found.get(lastOf(path));
    if (all) all.push(path);
    else found.set(lastOf(path), [path]);
  }
  filesByName.set(files, found);
  return found;
}

function fileAbove(
  above: (distance: number) => string | undefined,
  files: ReadonlySet<ProjectPath>,
): ProjectPath | undefined {
  for (let distance = 1; distance <= MAX_LINES_ABOVE; distance++) {
    const text = above(distance);
    if (text === undefined || text.trim() === "") return undefined;
    if (BELOW.test(text)) continue;
    return fileNamed(text.trim(), files);
  }
  return undefined;
}
