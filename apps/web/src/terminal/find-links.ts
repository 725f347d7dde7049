import { isLoopback } from "../ui/loopback.ts";
import type { ProjectPath } from "@treadle/protocol";
import { filePlaces, type PlaceInSource } from "@treadle/protocol/evidence";

/** What a piece of a terminal's text leads to. */
export type LinkTarget =
  | { kind: "file"; path: ProjectPath; place?: PlaceInSource }
  /** A page of what listens on a port of the project. */
  | { kind: "preview"; port: number; path: string }
  | { kind: "web"; address: string };

export interface FoundLink {
  /** Places in the text: the first character, and the one after the last. */
  from: number;
  to: number;
  target: LinkTarget;
}

/** What there is to lead to. */
export interface Known {
  files: ReadonlySet<ProjectPath>;
  ports: readonly number[];
}

const ADDRESS = /\bhttps?:\/\/[^\s"'`<>\\^{|}]+/g;
/** What ends a sentence or a bracket that was opened before the address is none of it. */
const TRAILING = /[.,;:!?)\]*]+$/;
/** What stands in the name of a file. */
const SIGN = String.raw`[\p{L}\p{M}\p{N}_@.+~-]`;
/** As Python and others name a line: `File "app/main.py", line 3`. */
const LINE_OF = /^,? (?:on )?line (\d{1,6})/;
/** What stands in quotes, which is how a name with spaces is written; the next may begin with the mark that ends it. */
const QUOTED = /(?=(["'`])([^"'`]{1,300})\1)./gu;
/** Anything that could be the path of a file. */
const PATH = new RegExp(
  String.raw`(?:${SIGN}+/)*${SIGN}*[\p{L}\p{M}\p{N}_]\.\w{1,10}(?![\p{L}\p{M}\p{N}_/])`,
  "gu",
);
/** A line of a list below the name of its file, as ESLint prints it: `  12:3  error  …`. */
const BELOW = /^\s+(\d{1,6}):(\d{1,6})\s+(?:error|warning|✖|⚠)\b/;
/** Characters of a line that are looked through. */
const LINE = 4_000;
/** Lines above that its file is looked for in. */
const LOOKED_ABOVE = 200;

/**
 * What a line of a terminal's text leads to, in its order and without overlaps.
 * @param above the lines before it, the nearest first
 */
export function findLinks(
  line: string,
  known: Known,
  above: (distance: number) => string | undefined = () => undefined,
): FoundLink[] {
  const text = line.slice(0, LINE);
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

/** Where an address leads that a program printed; undefined where nobody is to be led there. */
export function addressTarget(address: string, ports: readonly number[]): LinkTarget | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // What stands before an @ is read as the host by whoever looks at it.
  if (url.username !== "" || url.password !== "") return undefined;
  if (!isLoopback(url.hostname)) return { kind: "web", address };
  // The person's own machine has other things at these ports: only the project's own are meant.
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (!ports.includes(port)) return undefined;
  return { kind: "preview", port, path: url.pathname + url.search + url.hash };
}

/** The file of that name, or the only one whose path ends so: a program names it from the folder that it runs in. */
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

/** Files by their last part, once for a list: a line may name a thousand things, and a project have as many files (A78). */
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
  for (let distance = 1; distance <= LOOKED_ABOVE; distance++) {
    const text = above(distance);
    if (text === undefined || text.trim() === "") return undefined;
    if (BELOW.test(text)) continue;
    return fileNamed(text.trim(), files);
  }
  return undefined;
}
