/**
 * Determines which files of a project are its own. Listing, search, watching, revisions, checkpoints
 * and exports all use it.
 *
 * | a file …                                                                    | is       |
 * | --------------------------------------------------------------------------- | -------- |
 * | in an installed package, a repository, or a Python virtual environment      | foreign  |
 * | that the model or the person wrote, or that git tracks                      | source   |
 * | that a source imports, unless git ignores it and its folder has a usual name of build output | source |
 * | in a tool's state folder, by its name, a `CACHEDIR.TAG`, or as observed of its server | left out |
 * | in a root folder with a usual name of build output                          | left out |
 * | that git ignores, with a name of data                                       | data     |
 * | that git ignores otherwise, except secrets and files that outside programs obey | left out |
 * | of SQLite, or in `.data`                                                    | data     |
 * | otherwise                                                                   | source   |
 *
 * The first matching row counts. `source` is part of everything. `data` is shown and exported, but
 * is not part of revisions or checkpoints.
 */
import { isProtectedPath } from "@treadle/protocol/project-path";
import { isDataFile, isNeverOwn, isSecretFile, suggestedKind } from "../ignored.ts";
import { mayBeData } from "./data-kind.ts";
import { INDEX_BYTES, readGitIndex, type TrackedPaths } from "./git-index.ts";
import { parseIgnoreRules, RULES_BYTES, type IgnoreRules } from "./ignore-rules.ts";
import { findBroughtIn, mayBringIn, placesIn, TEXT_BYTES, type BroughtIn } from "./imports.ts";

export type FileKind = "source" | "data" | "left-out" | "foreign";
/** `own`: nothing excludes its contents. */
export type FolderKind = "own" | "ignored" | "output" | "cache" | "foreign";

/**
 * A folder of the project with the rules for its contents. The same object as long as they are
 * unchanged.
 */
export interface Place {
  readonly path: string;
  readonly kind: FolderKind;
  /** Both git's rules and the name exclude it: importing it does not make it a source. */
  readonly isSure: boolean;
  readonly names: readonly string[];
  /** Innermost first. */
  readonly rules: readonly { depth: number; rules: IgnoreRules }[];
  readonly version: number;
}

/** How the files are read. Both return undefined for what is not a regular file, or cannot be read; links are not followed. */
export interface SourceReader {
  /** At most `limit` bytes. */
  read(path: string, limit: number): Buffer | undefined;
  /** A string that changes whenever the file may have changed. */
  stamp(path: string): string | undefined;
}

/** Milliseconds for which a folder's result is reused for single paths. */
const RECENT_MS = 100;
const NONE: BroughtIn = { has: () => false, hasBelow: () => false, key: "" };
const INDEX = ".git/index";

export type Sources = ReturnType<typeof createSources>;

export function createSources(reader: SourceReader) {
  const written = createPathSet();
  const states = new Set<string>();
  let tracked: { stamp: string | undefined; paths: TrackedPaths } | undefined;
  let brought = NONE;
  let broughtOf = "";
  let places = new Map<string, { stamp: string; spelled: readonly string[] }>();
  let version = 0;
  const known = new Map<string, { place: Place; parent: Place | undefined; stamp: string }>();

  const changed = () => void version++;

  function trackedPaths(): TrackedPaths {
    if (!tracked) {
      const stamp = reader.stamp(INDEX);
      const bytes = stamp === undefined ? undefined : reader.read(INDEX, INDEX_BYTES);
      tracked = { stamp, paths: readGitIndex(bytes ?? Buffer.alloc(0)) };
    }
    return tracked.paths;
  }

  const isKept = (path: string, isSure: boolean): boolean =>
    written.has(path) || trackedPaths().has(path) || (!isSure && brought.has(path));

  const keepsBelow = (folder: string, isSure: boolean): boolean =>
    written.hasBelow(folder) ||
    trackedPaths().hasBelow(folder) ||
    (!isSure && brought.hasBelow(folder));

  function isIgnoredByGit(place: Place, name: string, isFolder: boolean): boolean {
    for (const { depth, rules } of place.rules) {
      const verdict = rules.match([...place.names.slice(depth), name], isFolder);
      if (verdict) return verdict === "ignored";
    }
    return false;
  }

  /** The kind of a folder, judged by its path. */
  function folderKind(place: Place, name: string): Pick<Place, "kind" | "isSure"> {
    if (isNeverOwn(name)) return { kind: "foreign", isSure: true };
    if (place.kind !== "own") return { kind: place.kind, isSure: place.isSure };
    const suggested = suggestedKind(name, place.path === "");
    const path = below(place, name);
    if (states.has(path)) return { kind: "cache", isSure: true };
    const ignored = isIgnoredByGit(place, name, true);
    if (suggested) return { kind: suggested, isSure: ignored };
    return { kind: ignored ? "ignored" : "own", isSure: false };
  }

  /**
   * Enters a folder, taking its content into account.
   * @param parent undefined for the project's own folder
   * @param has whether the folder has an entry of a name
   */
  function enter(parent: Place | undefined, name: string, has: (name: string) => boolean): Place {
    const path = parent ? below(parent, name) : "";
    const stamp = `${version} ${has("pyvenv.cfg")} ${has("CACHEDIR.TAG")} ${
      has(".gitignore") ? reader.stamp(path === "" ? ".gitignore" : `${path}/.gitignore`) : ""
    }`;
    const there = known.get(path);
    if (there && there.parent === parent && there.stamp === stamp) return there.place;
    let { kind, isSure } = parent
      ? folderKind(parent, name)
      : { kind: "own" as const, isSure: false };
    if (parent && has("pyvenv.cfg")) [kind, isSure] = ["foreign", true];
    else if (parent && kind === "own" && has("CACHEDIR.TAG")) kind = "cache";
    const names = parent ? [...parent.names, name] : [];
    let rules = parent?.rules ?? [];
    if (has(".gitignore")) {
      const bytes = reader.read(path === "" ? ".gitignore" : `${path}/.gitignore`, RULES_BYTES);
      if (bytes)
        rules = [{ depth: names.length, rules: parseIgnoreRules(bytes.toString()) }, ...rules];
    }
    const place = { path, kind, isSure, names, rules, version };
    known.set(path, { place, parent, stamp });
    return place;
  }

  /** @param doubtful receives the path if an import by a source would change the result */
  function fileKind(place: Place, name: string, doubtful?: Set<string>): FileKind {
    if (isNeverOwn(name)) return "foreign";
    const path = below(place, name);
    const plain = isDataFile(path) ? "data" : "source";
    let { kind, isSure } = place;
    if (kind === "foreign") return "foreign";
    if (kind === "own") {
      const ignored = isIgnoredByGit(place, name, false);
      const suggested = suggestedKind(name, place.path === "");
      if (!ignored && !suggested) return plain;
      [kind, isSure] = suggested ? [suggested, ignored] : ["ignored", false];
      if (!isSure) doubtful?.add(path);
    }
    if (isKept(path, isSure)) return plain;
    if (kind !== "ignored") return "left-out";
    if (plain === "data" || isSecretFile(path) || isProtectedPath(path)) return plain;
    return mayBeData({ path, mode: "100644" }) ? "data" : "left-out";
  }

  /** Whether a folder may contain anything that is shown. */
  const isEntered = ({ kind, isSure }: Pick<Place, "kind" | "isSure">, path: string): boolean =>
    kind === "own" || kind === "ignored" || (kind !== "foreign" && keepsBelow(path, isSure));

  /**
   * Recently determined places of folders: many paths of one folder are usually queried together.
   */
  let recent = { at: -Infinity, version: -1, places: new Map<string, Place | FileKind>() };

  function placeAt(folder: string): Place | FileKind {
    if (performance.now() - recent.at > RECENT_MS || recent.version !== version)
      recent = { at: performance.now(), version, places: new Map() };
    const there = recent.places.get(folder);
    if (there !== undefined) return there;
    const found = lookAtPlace(folder);
    recent.places.set(folder, found);
    return found;
  }

  /** The place of a folder, or the kind of all of its contents. */
  function lookAtPlace(folder: string): Place | FileKind {
    const has = (name: string) =>
      reader.stamp(folder === "" ? name : `${folder}/${name}`) !== undefined;
    if (folder === "") return enter(undefined, "", has);
    const slash = folder.lastIndexOf("/");
    const parent = placeAt(folder.slice(0, Math.max(0, slash)));
    if (typeof parent === "string") return parent;
    const name = folder.slice(slash + 1);
    if (!isEntered(folderKind(parent, name), folder))
      return folderKind(parent, name).kind === "foreign" ? "foreign" : "left-out";
    const place = enter(parent, name, has);
    if (isEntered(place, folder)) return place;
    return place.kind === "foreign" ? "foreign" : "left-out";
  }

  /**
   * The kind of a single path, judged by its parent folders as they are on the disk.
   * @param isFolder true: `left-out` for a folder in which nothing is shown
   */
  function kindOf(path: string, isFolder = false): FileKind {
    const slash = path.lastIndexOf("/");
    const found = placeAt(isFolder ? path : path.slice(0, Math.max(0, slash)));
    if (typeof found === "string") return found;
    return isFolder ? "source" : fileKind(found, path.slice(slash + 1));
  }

  return {
    /** Changes whenever a decision may have changed. */
    get version() {
      return version;
    },
    enter,
    folderKind,
    fileKind,
    isEntered,

    /** Call before each walk. */
    refresh(): void {
      recent.at = -Infinity;
      if (!tracked || tracked.stamp === reader.stamp(INDEX)) return;
      tracked = undefined;
      changed();
    },

    /**
     * The kind of a single path, judged by its parent folders as they are on the disk.
     * @param isFolder true: `left-out` for a folder in which nothing is shown
     */
    kindOf,

    /**
     * Records that the model or the person writes this file, or moves it there: it is a source,
     * wherever it is.
     * @returns whether it would not have been one
     */
    write(path: string): boolean {
      if (written.has(path)) return false;
      recent.at = -Infinity;
      const isNews = kindOf(path) === "left-out";
      written.add(path);
      if (isNews) changed();
      return isNews;
    },
    /** Records that the file was removed: a new file at its path may have another author. */
    remove(path: string): void {
      if (written.remove(path)) changed();
    },
    /** Adds paths that the model or the person wrote earlier. */
    setWritten(paths: Iterable<string>): void {
      for (const path of paths) written.add(path);
      changed();
    },
    /** Sets the folders in which a tool was observed to store its state. */
    setStates(folders: Iterable<string>): void {
      states.clear();
      for (const folder of folders) states.add(folder);
      changed();
    },

    /**
     * Finds what the sources import.
     * @param leftOut files and folders that are left out unless a source imports them, only the
     * outermost ones
     * @param sources all files that the walk has yielded, with their stamps
     * @returns whether this changed which files are sources; if so, the walk has to be repeated
     */
    bringIn(
      leftOut: ReadonlySet<string>,
      sources: Iterable<{ path: string; stamp: string }>,
    ): boolean {
      let next = NONE;
      let source = "";
      if (leftOut.size > 0) {
        const read = new Map<string, { stamp: string; spelled: readonly string[] }>();
        let isNews = false;
        for (const { path, stamp } of sources) {
          if (!mayBringIn(path)) continue;
          const before = places.get(path);
          if (before?.stamp === stamp) {
            read.set(path, before);
            continue;
          }
          const text = reader.read(path, TEXT_BYTES)?.toString() ?? "";
          const spelled = placesIn(text);
          isNews ||= spelled.join("\n") !== before?.spelled.join("\n");
          read.set(path, { stamp, spelled });
        }
        isNews ||= read.size !== places.size;
        places = read;
        source = [...leftOut].join("\0");
        if (!isNews && source === broughtOf) return false;
        const all = new Map([...read].map(([path, { spelled }]) => [path, spelled]));
        next = findBroughtIn(all, leftOut);
      }
      broughtOf = source;
      if (next.key === brought.key) return false;
      brought = next;
      changed();
      return true;
    },
  };
}

/** Whether a folder belongs to the project only if a source imports it. */
export const isDoubtful = ({ kind, isSure }: Pick<Place, "kind" | "isSure">): boolean =>
  kind !== "own" && kind !== "foreign" && !isSure;

export const below = ({ path }: Pick<Place, "path">, name: string): string =>
  path === "" ? name : `${path}/${name}`;

/** A set of paths, each including everything below it. */
function createPathSet() {
  const paths = new Set<string>();
  /** The number of paths below each folder. */
  const above = new Map<string, number>();
  const foldersOf = function* (path: string) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      yield path.slice(0, end);
  };
  const drop = (path: string) => {
    paths.delete(path);
    for (const folder of foldersOf(path)) {
      const count = above.get(folder)! - 1;
      if (count === 0) above.delete(folder);
      else above.set(folder, count);
    }
  };
  const has = (path: string): boolean => {
    if (paths.size === 0) return false;
    if (paths.has(path)) return true;
    for (const folder of foldersOf(path)) if (paths.has(folder)) return true;
    return false;
  };
  return {
    has,
    hasBelow: (folder: string) => above.has(folder) || has(folder),
    /** @returns whether it was new */
    add(path: string): boolean {
      if (paths.has(path)) return false;
      paths.add(path);
      for (const folder of foldersOf(path)) above.set(folder, (above.get(folder) ?? 0) + 1);
      return true;
    },
    /**
     * Removes a path and everything below it.
     * @returns whether anything was removed
     */
    remove(path: string): boolean {
      if (!paths.has(path) && !above.has(path)) return false;
      for (const one of paths) if (one === path || one.startsWith(`${path}/`)) drop(one);
      return true;
    },
  };
}
