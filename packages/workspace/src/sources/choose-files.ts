import { isNeverOwn, suggestedKind } from "../ignored.ts";
import { INDEX_BYTES } from "./git-index.ts";
import { RULES_BYTES } from "./ignore-rules.ts";
import { mayBringIn, TEXT_BYTES } from "./imports.ts";
import { createSources, isDoubtful, type Place, type SourceReader } from "./sources.ts";

/** Maximum number of rounds to find everything that sources import: each import may add more. */
const ROUNDS = 8;

/** Files added by operating systems when people archive or copy folders. No project imports one. */
const OF_SYSTEM = new Set([".DS_Store", "Thumbs.db"]);
const PACKED_BY_SYSTEM = "__MACOSX";

interface Folder {
  folders: Map<string, Folder>;
  files: Set<string>;
}

/**
 * Chooses the files of a folder that becomes a project. Leaves out installed packages,
 * repositories, Python environments, and files ignored by git, unless they are tracked, imported by
 * a source, or are the app's data or secrets. A usual name of build output alone is no reason,
 * since a folder may contain nothing else.
 * @param paths of all its files, with `/`; `.git/index` determines which are tracked
 * @param reader reads git's rules and index, and the text of sources if the decision depends on
 * them
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

/**
 * Number of bytes of a file that `chooseFiles` may read: 0 for irrelevant files and for installed
 * ones.
 */
export function decidingBytes(path: string): number {
  if (path === ".git/index") return INDEX_BYTES;
  if (path.split("/").some(isNeverOwn)) return 0;
  if (path === ".gitignore" || path.endsWith("/.gitignore")) return RULES_BYTES;
  return mayBringIn(path) ? TEXT_BYTES : 0;
}

/** Whether a file is left out because of a name alone, its own or a parent folder's. */
function isCalledSo(place: Place, file: string): boolean {
  if (place.kind === "own") return suggestedKind(file, place.path === "") !== undefined;
  const isNamed = place.names.some((name, depth) => suggestedKind(name, depth === 0) !== undefined);
  return place.kind !== "ignored" && !place.isSure && isNamed;
}
