import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { fromDisk } from "../paths.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { isProtectedPath } from "@treadle/protocol/project-path";
import { mayBeData } from "../sources/data-kind.ts";

/** Maximum number of recorded paths; further files written by an app count as the project's. */
const MOST = 5_000;
/** Maximum number of recorded state folders of tools. */
const MOST_STATES = 100;
/**
 * Maximum number of new paths searched for in the sources at one look; the others follow at the
 * next.
 */
const AT_ONCE = 50;

/**
 * Determines which files of a project are data of its running app (a JSON database, a log, uploads): files that changed
 * while only the project's server was running, whose names are not those of sources, and that no source imports. They
 * are not part of revisions or checkpoints, so using the app does not change what was proven. The decision is stored on
 * the host, so that the project cannot claim it; a file that the model, the person or a command writes becomes a source
 * again.
 */
export function createDataFiles(options: {
  /** All current files; the same object if nothing changed. */
  manifest(): Promise<readonly ManifestEntry[]>;
  stateDirectory: string;
  isServing(): boolean;
  /** Whether a command, a terminal or anything else is running besides the server. */
  isBusy(): boolean;
  /** Sources that import the file. */
  namedIn(path: ProjectPath): Promise<ProjectPath[]>;
  onFound(paths: ProjectPath[]): void;
  /** Whether the model or the person wrote a file in a folder. */
  isWritten(folder: ProjectPath): boolean;
  /** Excludes these folders from the project from now on. */
  setStates(folders: ProjectPath[]): Promise<void>;
}) {
  const file = join(options.stateDirectory, "data-files.json");
  const statesFile = join(options.stateDirectory, "tool-states.json");
  let toolStates: Set<ProjectPath> | undefined;
  const states = (): Set<ProjectPath> => (toolStates ??= new Set(readList(statesFile)));
  let known: Set<ProjectPath> | undefined;
  /** The state at the last check. */
  let last: readonly ManifestEntry[] | undefined;
  /** Whether only the server has run since then. */
  let alone = false;
  let looks: Promise<unknown> = Promise.resolve();
  /** Paths written through the host since then. */
  const written = new Set<ProjectPath>();

  const all = (): Set<ProjectPath> => (known ??= new Set(readList(file)));
  /** The last result of `othersIn`, with its input. */
  let sorted:
    | { of: readonly ManifestEntry[]; data: string; others: readonly ManifestEntry[] }
    | undefined;

  /** The files that are not data; the same object for the same input. */
  function othersIn(manifest: readonly ManifestEntry[]): readonly ManifestEntry[] {
    if (all().size === 0) return manifest;
    const data = [...all()].join("\0");
    if (sorted?.of !== manifest || sorted.data !== data)
      sorted = { of: manifest, data, others: manifest.filter(({ path }) => !all().has(path)) };
    return sorted.others;
  }

  const save = () => writeList(file, all());

  /** Hidden folders in which only the server wrote: its tool stores its state there. */
  async function findStates(
    manifest: readonly ManifestEntry[],
    changed: readonly ManifestEntry[],
  ): Promise<ProjectPath[]> {
    const folders = new Set<ProjectPath>();
    for (const { path } of changed) {
      const folder = hiddenFolderOf(path);
      if (folder !== undefined && !states().has(folder)) folders.add(folder);
    }
    const found: ProjectPath[] = [];
    for (const folder of folders) {
      if (states().size + found.length >= MOST_STATES || options.isWritten(folder)) continue;
      const inside = changed.filter(({ path }) => path.startsWith(`${folder}/`));
      // Files that programs outside the sandbox obey always belong to the project, whoever writes them.
      if (manifest.some(({ path }) => path.startsWith(`${folder}/`) && isProtectedPath(path)))
        continue;
      const names = await Promise.all(
        inside.slice(0, AT_ONCE).map(({ path }) => options.namedIn(path).catch(() => undefined)),
      );
      const isOwn = names.every((ones) => ones?.every((one) => one.startsWith(`${folder}/`)));
      if (isOwn) found.push(folder);
    }
    return found;
  }

  /** Finds what changed since the last look. */
  async function look(): Promise<readonly ManifestEntry[]> {
    // Files written or programs started during the look count for this look and for the next.
    const [before, wasAlone, ours] = [last, alone, new Set(written)];
    alone = !options.isBusy();
    written.clear();
    let manifest = await options.manifest();
    last = manifest;
    if (before && before !== manifest && wasAlone && alone && options.isServing()) {
      const was = new Map(before.map(({ path, hash }) => [path, hash]));
      const others = manifest.filter(
        (entry) =>
          was.get(entry.path) !== entry.hash &&
          !ours.has(entry.path) &&
          !written.has(entry.path) &&
          !all().has(entry.path),
      );
      const newStates = await findStates(manifest, others);
      if (newStates.length > 0) {
        for (const folder of newStates) states().add(folder);
        writeList(statesFile, states());
        await options.setStates([...states()]);
        manifest = await options.manifest();
        last = manifest;
      }
      const changed = others.filter(
        (entry) =>
          mayBeData(entry) && !newStates.some((folder) => entry.path.startsWith(`${folder}/`)),
      );
      const found: ProjectPath[] = [];
      for (const { path } of changed.slice(0, AT_ONCE)) {
        if (all().size + found.length >= MOST) break;
        const names = await options.namedIn(path).catch(() => undefined);
        // References from data files do not count. A file that cannot be checked is treated as a source.
        if (names?.every((name) => name === path || all().has(name))) found.push(path);
      }
      // Excludes files that someone else wrote meanwhile.
      const sure = found.filter((path) => !written.has(path));
      if (sure.length > 0) {
        for (const path of sure) all().add(path);
        save();
        options.onFound(sure);
      }
    }
    return othersIn(manifest);
  }

  return {
    list: (): ProjectPath[] => [...all()].toSorted(),
    /** Folders in which servers' tools store their state. */
    states: (): ProjectPath[] => [...states()],
    /** Data files that exist now. */
    async present(): Promise<ReadonlySet<ProjectPath>> {
      if (all().size === 0) return new Set();
      const manifest = await options.manifest();
      return new Set(manifest.map(({ path }) => path).filter((path) => all().has(path)));
    },

    /** Records that something besides the server runs or has run. */
    disturbed: () => void (alone = false),
    /** Records that the model or the person wrote, moved or removed the file. */
    written(path: ProjectPath): void {
      written.add(path);
      let gone = false;
      for (const one of all())
        if (one === path || one.startsWith(`${path}/`)) gone = all().delete(one) || gone;
      if (gone) save();
    },

    /** All files that are not data, looked at again: the files of a revision. */
    others(): Promise<readonly ManifestEntry[]> {
      // Looks are serialised, because each is compared with the one before.
      const next = looks.then(look, look);
      looks = next.catch(() => undefined);
      return next;
    },
  };
}

/** The outermost hidden folder that contains a file. */
function hiddenFolderOf(path: ProjectPath): ProjectPath | undefined {
  const at = /(?:^|\/)\.[^/]+\//.exec(path);
  return at ? fromDisk(path.slice(0, at.index + at[0].length - 1)) : undefined;
}

function writeList(file: string, paths: ReadonlySet<ProjectPath>): void {
  writeFileSync(`${file}.new`, JSON.stringify([...paths].toSorted()));
  renameSync(`${file}.new`, file);
}

function readList(file: string): ProjectPath[] {
  if (!existsSync(file)) return [];
  try {
    const list: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(list) ? list.filter((one) => typeof one === "string").map(fromDisk) : [];
  } catch {
    return [];
  }
}
