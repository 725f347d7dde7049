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

/** A file that became something else: undefined where there was, or is, none. */
export interface GuardedChange {
  path: ProjectPath;
  was: FileVersion | undefined;
  current: FileVersion | undefined;
}

/**
 * Files that something outside the sandbox obeys, as they were before commands ran; of a package.json, only the scripts
 * that run unasked where it is installed. What a command or a server made of
 * one is put back before anybody obeys it (A24, A32): what a command writes cannot be known beforehand, and the person
 * was not asked about it.
 */
export interface FileGuard {
  /** Remembers what stands before the first command, and before each other what the person agreed to since. */
  begin(): Promise<void>;
  /** The person agreed to this content of the file, or wrote it; an empty version: that it goes. */
  agreed(path: ProjectPath, version: string): void;
  /** Text of a package.json as it was remembered; undefined where it was not. */
  stood(path: ProjectPath): string | undefined;
  /** What stands otherwise than it was, and nobody agreed to, in the order of the paths. */
  changed(): Promise<GuardedChange[]>;
  /**
   * Puts a file back. What cannot be put back (there was a link, or something too long to be kept) stays as it is from now
   * on, and what was changed again meanwhile stays until the next time.
   * @returns version of what stands then, `absent` where there is nothing; undefined where it was not put back
   */
  putBack(changed: GuardedChange): Promise<string | undefined>;
}

export function createFileGuard(workspace: Workspace): FileGuard {
  let before: Map<ProjectPath, FileVersion> | undefined;
  const agreed = new Map<ProjectPath, string>();

  /** Whether it became something else that is obeyed. */
  function differs(
    path: ProjectPath,
    was: FileVersion | undefined,
    current: FileVersion | undefined,
  ): boolean {
    if (was?.version === current?.version) return false;
    if (isProtectedPath(path) && versionOf(path, was) === versionOf(path, current)) return false;
    // What cannot be read may hold such scripts.
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
      // It is in an earlier checkpoint at most: what stands is not given up for nothing.
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
        // A link, or what is too long to be kept: away with it first.
        if (current) await files.remove(path);
        return was?.bytes ? (await files.write(path, was.bytes)).version : "absent";
      } catch {
        // It is told as what it is: not put back.
        return undefined;
      }
    },
  };
}
