import type { ProjectPath } from "@treadle/protocol";
/** Versions of one file that are remembered: going back to a checkpoint goes back to one of these. */
const REMEMBERED = 30;
/** Files that are remembered. */
const FILES = 5_000;

/** Content of each file, by its path. A path that is not there has none. */
export type Versions = ReadonlyMap<ProjectPath, string>;

/** What is kept of it between two times. Lists of pairs: a path is any name, `__proto__` among them (A46). */
export interface KeptAccepted {
  /** Versions that were agreed to, the one that holds first; empty: that there is no such file. */
  accepted: [path: ProjectPath, versions: string[]][];
  /** What stood when the last process of the project had ended; absent while there may be some. */
  left?: [path: ProjectPath, version: string][];
  /** What the person was told of already. */
  told: [path: ProjectPath, version: string][];
}

/**
 * Which version of a file that is obeyed outside the sandbox was agreed to: the one that the project came with, that the
 * person saved, that the model wrote with their approval, or that came to be while no process of the project was alive.
 * What any of its processes wrote is none of these (A24).
 */
export interface AcceptedFiles {
  isAccepted(path: ProjectPath, version: string): boolean;
  /** Whether it was agreed to at some time; as far back as is remembered. */
  wasAccepted(path: ProjectPath, version: string): boolean;
  /** @param version empty: that the file goes, or all below that path */
  accept(path: ProjectPath, version: string): void;
  /** Before any process is started. What is otherwise than it was left is whoever's works in the folder itself. */
  opened(standing: Versions): void;
  /** @param standing after the last process ended; absent: it is not known what stood then */
  ended(standing?: Versions): void;
  /** The person went back to a checkpoint: a version that was agreed to once holds again. */
  restored(standing: Versions): void;
  /** What stands otherwise than was agreed to, in the order of the paths; an empty version: it was removed. */
  changed(standing: Versions): { path: ProjectPath; version: string }[];
  /**
   * Of all that is changed, what the person was not told of yet; that counts as told from now on. A file that is not told
   * to the model is named once until it is as it was: some are written all the time.
   */
  announce<Changed extends { path: ProjectPath; version: string; told: boolean }>(
    changed: readonly Changed[],
  ): Changed[];
  snapshot(): KeptAccepted;
}

/** @param known absent: the project is opened for the first time, and what it holds is what it came with */
export function createAcceptedFiles(known?: KeptAccepted): AcceptedFiles {
  const accepted = new Map(known?.accepted.map(([path, versions]) => [path, [...versions]]));
  let left = known?.left && new Map(known.left);
  const announced = new Map(known?.told);
  let isNew = known === undefined;

  const holds = (path: ProjectPath) => accepted.get(path)?.[0] ?? "";

  function accept(path: ProjectPath, version: string): void {
    const others = (accepted.get(path) ?? []).filter((one) => one !== version);
    if (version === "" && others.length === 0) return void accepted.delete(path);
    accepted.set(path, [version, ...others].slice(0, REMEMBERED));
    announced.delete(path);
    const [oldest] = accepted.keys();
    if (accepted.size > FILES && oldest !== undefined) accepted.delete(oldest);
  }

  function changed(standing: Versions): { path: ProjectPath; version: string }[] {
    return [...new Set([...accepted.keys(), ...standing.keys()])]
      .map((path) => ({ path, version: standing.get(path) ?? "" }))
      .filter(({ path, version }) => holds(path) !== version)
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  return {
    isAccepted: (path, version) => version !== "" && holds(path) === version,
    wasAccepted: (path, version) => accepted.get(path)?.includes(version) ?? false,
    accept(path, version) {
      accept(path, version);
      if (version !== "") return;
      for (const other of accepted.keys()) if (other.startsWith(`${path}/`)) accept(other, "");
    },
    opened(standing) {
      if (isNew) for (const [path, version] of standing) accept(path, version);
      else if (left)
        for (const path of new Set([...left.keys(), ...standing.keys()])) {
          const version = standing.get(path) ?? "";
          if (version !== (left.get(path) ?? "")) accept(path, version);
        }
      isNew = false;
      left = undefined;
    },
    ended: (standing) => void (left = standing && new Map(standing)),
    restored(standing) {
      for (const { path, version } of changed(standing))
        if (version === "" || accepted.get(path)?.includes(version)) accept(path, version);
    },
    changed,
    announce(files) {
      const paths = new Set(files.map(({ path }) => path));
      for (const path of announced.keys()) if (!paths.has(path)) announced.delete(path);
      const fresh = files.filter((file) =>
        file.told ? announced.get(file.path) !== file.version : !announced.has(file.path),
      );
      for (const { path, version } of fresh) announced.set(path, version);
      return fresh;
    },
    snapshot: () => ({
      accepted: [...accepted],
      left: left ? [...left] : undefined,
      told: [...announced],
    }),
  };
}
