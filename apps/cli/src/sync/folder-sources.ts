import { createSources, isDoubtful, type Place } from "@treadle/workspace/sources";
import { readerOf } from "../folders/source-reader.ts";

/** Maximum number of walks. Each walk may find further imported files. */
const ROUNDS = 8;

/** One walk over the folder. It is repeated until all imported files are known. */
export interface FolderWalk {
  /**
   * @param parent undefined for the root folder.
   * @returns undefined if nothing in it is synchronized
   */
  enter(parent: Place | undefined, name: string, names: ReadonlySet<string>): Place | undefined;
  /** Whether a folder may contain synchronized files. */
  mayEnter(parent: Place, name: string): boolean;
  isSource(place: Place, name: string): boolean;
  /** Adds a source that was found. @param stamp a text that changes whenever the file may have changed */
  add(path: string, stamp: string): void;
}

export interface FolderSources {
  /**
   * Walks until the sources are known.
   * @param paths files that are already synchronized or exist in the project: they always count as
   * sources
   */
  walk(paths: Iterable<string>, once: (walk: FolderWalk) => Promise<void>): Promise<void>;
}

/**
 * Finds out which files of a folder on this machine are sources, by the same rules as a project's sandbox: files that
 * git tracks and files that sources import, whatever their folders are called. Files that git ignores and nothing
 * imports are not.
 */
export function createFolderSources(root: string): FolderSources {
  const sources = createSources(readerOf(root));
  const known = new Set<string>();

  function replaceKnown(paths: Iterable<string>): void {
    const now = new Set(paths);
    for (const path of known) if (!now.has(path)) sources.remove(path);
    const fresh = [...now].filter((path) => !known.has(path));
    known.clear();
    for (const path of now) known.add(path);
    if (fresh.length > 0) sources.setWritten(fresh);
  }

  return {
    async walk(paths, once) {
      replaceKnown(paths);
      for (let round = 0; round < ROUNDS; round++) {
        sources.refresh();
        const doubtful = new Set<string>();
        const texts: { path: string; stamp: string }[] = [];
        await once({
          mayEnter(parent, name) {
            const path = parent.path === "" ? name : `${parent.path}/${name}`;
            const kind = sources.folderKind(parent, name);
            if (parent.kind === "own" && isDoubtful(kind)) doubtful.add(path);
            return sources.isEntered(kind, path);
          },
          enter(parent, name, names) {
            const place = sources.enter(parent, name, (entry) => names.has(entry));
            if (parent?.kind === "own" && isDoubtful(place)) doubtful.add(place.path);
            return sources.isEntered(place, place.path) ? place : undefined;
          },
          isSource: (place, name) => sources.fileKind(place, name, doubtful) === "source",
          add: (path, stamp) => void texts.push({ path, stamp }),
        });
        if (!sources.bringIn(doubtful, texts)) return;
      }
    },
  };
}
