import { isProtectedPath } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { hooksChanged, isManifest, withHooksOf } from "./hooks-changed.ts";
import {
  protectedVersion,
  readFileVersion,
  readProtectedFiles,
  textOf,
  type FileVersion,
} from "./protected-files.ts";

/** A changed file; `undefined` on either side means that it did not or does not exist. */
export interface GuardedChange {
  path: ProjectPath;
  was: FileVersion | undefined;
  current: FileVersion | undefined;
}

/**
 * Files that programs outside the sandbox obey, as they were before commands ran; for a
 * package.json, only its install scripts. A change by a command or a server is reverted before
 * anyone obeys it (A24, A32): its effect cannot be known beforehand, and the person did not approve
 * it.
 */
export interface FileGuard {
  /**
   * Records the files before the first command, and before each later one what the person accepted
   * since.
   */
  begin(): Promise<void>;
  /**
   * Records that the person accepted or wrote this version of the file; an empty version: its
   * removal.
   */
  agreed(path: ProjectPath, version: string): void;
  /** The recorded text of a package.json; undefined if there is none. */
  stood(path: ProjectPath): string | undefined;
  /** Changes that nobody accepted, sorted by path. */
  changed(): Promise<GuardedChange[]>;
  /**
   * Restores a file. One that cannot be restored (it was a link, or too long to be saved) is
   * accepted from now on; one that changed again meanwhile stays until the next time.
   * @returns the version on disk afterwards, `absent` if there is no file; undefined if it was not
   * restored
   */
  putBack(changed: GuardedChange): Promise<string | undefined>;
}

export function createFileGuard(workspace: Workspace): FileGuard {
  let before: Map<ProjectPath, FileVersion> | undefined;
  const agreed = new Map<ProjectPath, string>();

  /** Whether the obeyed part of the file changed. */
  function differs(
    path: ProjectPath,
    was: FileVersion | undefined,
    current: FileVersion | undefined,
  ): boolean {
    if (was?.version === current?.version) return false;
    if (isProtectedPath(path) && versionOf(path, was) === versionOf(path, current)) return false;
    // An unreadable file may contain install scripts.
    if (isProtectedPath(path) || (current && !current.bytes)) return true;
    return hooksChanged(textOf(was), textOf(current));
  }

  const versionOf = (path: ProjectPath, standing: FileVersion | undefined) =>
    standing ? protectedVersion(path, standing) : "";

  async function settle(known: Map<ProjectPath, FileVersion>): Promise<void> {
    for (const [path, version] of agreed) {
      if (!isProtectedPath(path) && !isManifest(path)) continue;
      const current = await readFileVersion(workspace, path, "");
      if (current.version === version) known.set(path, current);
    }
  }

  return {
    async begin() {
      if (before) return settle(before);
      before = (await readProtectedFiles(workspace)).files;
    },
    agreed: (path, version) => void agreed.set(path, version),
    stood(path) {
      return before && textOf(before.get(path));
    },
    async changed() {
      if (!before) return [];
      const { files: now } = await readProtectedFiles(workspace);
      const changed: GuardedChange[] = [];
      for (const path of new Set([...before.keys(), ...now.keys()])) {
        const was = before.get(path);
        const current = now.get(path);
        if (!differs(path, was, current)) continue;
        if (agreed.get(path) !== (current?.version ?? "")) changed.push({ path, was, current });
        else if (current) before.set(path, current);
        else before.delete(path);
      }
      return changed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    async putBack({ path, was, current }) {
      const { files } = workspace;
      // The old content is at most in a checkpoint, so the current one must not be removed.
      if (was && !was.bytes) {
        if (current) before?.set(path, current);
        else before?.delete(path);
        return undefined;
      }
      try {
        if (!isProtectedPath(path) && current?.bytes) {
          const merged = withHooksOf(textOf(was), textOf(current));
          if (merged === undefined) return current.version;
          return (await files.write(path, merged, { ifVersion: current.version })).version;
        }
        if (was?.bytes && (!current || current.bytes)) {
          const ifVersion = current?.version ?? "absent";
          return (await files.write(path, was.bytes, { ifVersion })).version;
        }
        // A link, or a file too long to be saved, is removed first.
        if (current) await files.remove(path);
        return was?.bytes ? (await files.write(path, was.bytes)).version : "absent";
      } catch {
        // The caller then reports the file as not restored.
        return undefined;
      }
    },
  };
}
