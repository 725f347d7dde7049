import type { ProjectPath } from "@treadle/protocol";
/** Number of versions stored per file: restoring a checkpoint restores one of these. */
const REMEMBERED = 30;
/** Maximum number of files stored. */
const FILES = 5_000;

/** Content version of each file by path. A missing file has none. */
export type Versions = ReadonlyMap<ProjectPath, string>;

/**
 * The stored state. Lists of pairs, because a path may be any name, including `__proto__` (A46).
 */
export interface KeptAccepted {
  /**
   * Approved versions, the current one first; an empty version means that the file does not exist.
   */
  accepted: [path: ProjectPath, versions: string[]][];
  /** Versions when the project's last process had ended; absent while processes may be running. */
  left?: [path: ProjectPath, version: string][];
  /** Versions already reported to the person. */
  told: [path: ProjectPath, version: string][];
}

/**
 * Which version of a file that outside programs obey was approved: the one that the project came
 * with, that the person saved, that the model wrote with their approval, or that appeared while no
 * process of the project was running. Anything written by its processes is not approved (A24).
 */
export interface AcceptedFiles {
  isAccepted(path: ProjectPath, version: string): boolean;
  /** Whether it was ever approved, as far as is stored. */
  wasAccepted(path: ProjectPath, version: string): boolean;
  /**
   * Approves a version of a file. @param version empty: approves the removal of the file, or of everything below that
   * path
   */
  accept(path: ProjectPath, version: string): void;
  /**
   * Call before any process is started. Differences from the last state are changes made in the
   * folder itself.
   */
  opened(standing: Versions): void;
  /** Call when the project's last process may have ended. @param standing the state after that; absent: unknown */
  ended(standing?: Versions): void;
  /** The person restored a checkpoint: versions that were approved earlier are approved again. */
  restored(standing: Versions): void;
  /**
   * Files that differ from their approved version, sorted by path; an empty version means that the
   * file was removed.
   */
  changed(standing: Versions): { path: ProjectPath; version: string }[];
  /**
   * Returns the changed files that were not reported to the person yet, and marks them as reported. A file that models
   * are not told about is reported only once until it is restored: some are written all the time.
   */
  announce<Changed extends { path: ProjectPath; version: string; told: boolean }>(
    changed: readonly Changed[],
  ): Changed[];
  snapshot(): KeptAccepted;
}

/**
 * Creates the record of approved versions. @param known the stored state; absent: the project is opened for the first
 * time, and its content counts as approved
 */
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
