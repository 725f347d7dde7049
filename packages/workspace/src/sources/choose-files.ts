import { isNeverOwn, suggestedKind } from "../ignored.ts";
import { INDEX_BYTES } from "./git-index.ts";
import { RULES_BYTES } from "./ignore-rules.ts";
import { mayBringIn, TEXT_BYTES } from "./imports.ts";
import { createSources, isDoubtful, type Place, type SourceReader } from "./sources.ts";

/** Looks until what the sources bring in is found: each may bring in more. */
const ROUNDS = 8;

/** Files of the systems that people pack and copy folders with. No project brings one in. */
const OF_SYSTEM = new Set([".DS_Store", "Thumbs.db"]);
const PACKED_BY_SYSTEM = "__MACOSX";

interface Folder {
  folders: Map<string, Folder>;
  files: Set<string>;
}

/**
 * Chooses which files are taken of a folder that becomes a project. Left out are installed packages, repositories,
 * environments of Python, and what git ignores, unless git tracks it, a source brings it in, or it is data or a secret of the
 * app. That a folder is called as builds call their output is no reason: a folder may hold nothing else.
 * @param paths of all its files, with `/`; `.git/index` says which are tracked
 * @param reader asked for rules of git, its index, and texts of sources while it depends on these
 */
export function chooseFiles(paths: Iterable<string>, reader: SourceReader): Set<string> {
  const top: Folder = { folders: new Map(), files: new Set() };
  for (const path of paths) {
    const names = path.split("/");
    let folder = top;
    for (const name of names.slice(0, -1)) {
      let inner = folder.folders.get(name);
      if (!inner) folder.folders.set(name, (inner = { folders: new Map(), files: new Set() }));
      folder = inner;
    }
    folder.files.add(names.at(-1)!);
  }

  const sources = createSources(reader);
  let chosen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    sources.refresh();
    chosen = new Set();
    const doubtful = new Set<string>();
    const texts: { path: string; stamp: string }[] = [];
    walk(top, undefined, "", "");
    if (!sources.bringIn(doubtful, texts)) break;

    function walk(folder: Folder, parent: Place | undefined, path: string, name: string): void {
      const has = (entry: string) => folder.files.has(entry) || folder.folders.has(entry);
      const place = sources.enter(parent, name, has);
      if (place.kind === "foreign") return;
      if (parent?.kind === "own" && isDoubtful(place)) doubtful.add(path);
      for (const file of folder.files) {
        if (OF_SYSTEM.has(file) || isNeverOwn(file)) continue;
        const inner = path === "" ? file : `${path}/${file}`;
        const kind = sources.fileKind(place, file, doubtful);
        if (kind === "foreign" || (kind === "left-out" && !isCalledSo(place, file))) continue;
        chosen.add(inner);
        const stamp = reader.stamp(inner);
        if (kind === "source" && stamp !== undefined) texts.push({ path: inner, stamp });
      }
      for (const [called, inner] of folder.folders) {
        if (isNeverOwn(called) || (!parent && called === PACKED_BY_SYSTEM)) continue;
        const below = path === "" ? called : `${path}/${called}`;
        const kind = sources.folderKind(place, called);
        if (place.kind === "own" && isDoubtful(kind)) doubtful.add(below);
        walk(inner, place, below, called);
      }
    }
  }
  return chosen;
}

/** How much of a file `chooseFiles` may read, in bytes: 0 for one that decides nothing, and for what is installed. */
export function decidingBytes(path: string): number {
  if (path === ".git/index") return INDEX_BYTES;
  if (path.split("/").some(isNeverOwn)) return 0;
  if (path === ".gitignore" || path.endsWith("/.gitignore")) return RULES_BYTES;
  return mayBringIn(path) ? TEXT_BYTES : 0;
}

/** Whether a file is left out for a name alone, its own or that of a folder above it. */
function isCalledSo(place: Place, file: string): boolean {
  if (place.kind === "own") return suggestedKind(file, place.path === "") !== undefined;
  const isNamed = place.names.some((name, depth) => suggestedKind(name, depth === 0) !== undefined);
  return place.kind !== "ignored" && !place.isSure && isNamed;
}
