import { isUnder } from "@treadle/protocol/project-path";
import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { clipLine } from "../text/clip.ts";

/** Files that are remembered while commands run, and bytes of all of them. */
const FILES = 500;
const BYTES = 16 * 1024 * 1024;
/** Characters of the list of paths that is told. */
const TOLD = 600;

/** Files and folders that the person locked: the model and its commands leave them alone. Asked for anew each time. */
export type Locks = () => readonly ProjectPath[];

/** The lock that a write of this path would break: its own, or of a folder around it. */
export const lockOver = (locks: readonly ProjectPath[], path: ProjectPath) =>
  locks.find((lock) => isUnder(path, lock));

/** The same of what is moved or removed, which takes all that is in it along. */
export const lockIn = (locks: readonly ProjectPath[], path: ProjectPath) =>
  lockOver(locks, path) ?? locks.find((lock) => isUnder(lock, path));

/** What the model is told of a call that a lock refused. */
export const lockedWords = (path: ProjectPath, lock: ProjectPath): string =>
  `Nothing was changed: the person locked ${lock}${lock === path ? "" : `, and ${path} with it`}. Leave it as it is. If your work needs it changed, say so and end your turn.`;

/**
 * What is locked, as it was before a command ran. What a command made of it is put back when it ends, and so is what a
 * server or a foreign tool wrote meanwhile.
 */
export interface LockGuard {
  /** Remembers what stands. */
  begin(): Promise<void>;
  /**
   * Puts back what stands otherwise, but for what the person wrote. May reject as the workspace does.
   * @param isPersons whether the person left this version of the file; an empty one: removed it
   * @returns the files, in the order of their paths; none where nothing was
   */
  putBack(isPersons: (path: ProjectPath, version: string) => boolean): Promise<ProjectPath[]>;
}

/** The guard of one run, which knows what the person wrote meanwhile. */
export interface LockWatch {
  begin(): Promise<void>;
  /** @returns the files that were put back */
  putBack(): Promise<ProjectPath[]>;
}

interface Kept {
  version: string;
  bytes: Uint8Array;
}

export function createLockGuard(workspace: Workspace, locks: Locks): LockGuard {
  const { files } = workspace;
  let before: Map<ProjectPath, Kept> | undefined;
  /** Too much was locked to be remembered: what is not known as it was is not taken away. */
  let partly = false;

  async function stands(): Promise<{ found: Map<ProjectPath, Kept>; more: boolean }> {
    const found = new Map<ProjectPath, Kept>();
    let left = BYTES;
    let more = false;
    for (const lock of locks()) {
      const listed = await files.list({ under: lock, limit: FILES * 4 }).catch(notThere);
      const inside = listed.files.filter(
        ({ kind, path }) => kind === "file" && isUnder(path, lock),
      );
      more ||= listed.more;
      for (const path of inside.length > 0 ? inside.map((file) => file.path) : [lock]) {
        const kept = await files.read(path, { limit: Math.max(1, left) }).catch(missing);
        if (!kept) continue;
        if (kept === "large" || found.size >= FILES) more = true;
        else {
          found.set(path, kept);
          left -= kept.bytes.byteLength;
        }
      }
    }
    return { found, more };
  }

  return {
    async begin() {
      if (locks().length === 0) return void (before = undefined);
      const { found, more } = await stands();
      before = found;
      partly = more;
    },
    async putBack(isPersons) {
      if (!before) return [];
      const { found: now } = await stands();
      const back: ProjectPath[] = [];
      for (const path of [...new Set([...before.keys(), ...now.keys()])].toSorted()) {
        const was = before.get(path);
        const is = now.get(path);
        if (was?.version === is?.version || (!was && partly)) continue;
        if (lockOver(locks(), path) === undefined || isPersons(path, is?.version ?? "")) {
          if (is) before.set(path, is);
          else before.delete(path);
          continue;
        }
        if (await putOne(path, was, is)) back.push(path);
      }
      return back;
    },
  };

  async function putOne(path: ProjectPath, was: Kept | undefined, is: Kept | undefined) {
    try {
      if (was) await files.write(path, was.bytes, { ifVersion: is?.version ?? "absent" });
      else await files.remove(path);
      return true;
    } catch (error) {
      // Changed again just now: the next look puts it back.
      if (error instanceof WorkspaceError && error.code === "conflict") return false;
      throw error;
    }
  }
}

const notThere = (error: unknown) => {
  if (error instanceof WorkspaceError && error.code !== "stopped" && error.code !== "sandbox")
    return { files: [], more: false };
  throw error;
};

function missing(error: unknown): "large" | undefined {
  if (!(error instanceof WorkspaceError)) throw error;
  if (error.code === "stopped" || error.code === "sandbox") throw error;
  return error.code === "too-large" ? "large" : undefined;
}

/** What the model is told of what was put back; empty where nothing was. */
export const putBackWords = (paths: readonly ProjectPath[]): string =>
  paths.length === 0
    ? ""
    : `\nPut back as they were: ${clipLine(paths.join(", "), TOLD)}. The person locked them; leave them as they are.`;
