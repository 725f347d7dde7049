import { sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import {
  closeSync,
  lstatSync,
  readSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { removeDeepNow } from "../remove-deep.ts";
import { WorkspaceError } from "../types.ts";
import { MAX_PIECE } from "../wire/frames.ts";
import { createFolderSync, disk as systemDisk, type Disk } from "./disk.ts";
import {
  openDraft,
  refuseTarget,
  versionOfOpen,
  type FileDraft,
  type Written,
} from "./file-draft.ts";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf } from "@treadle/protocol/project-path";
import { failure } from "./failure.ts";
import { inFolder, openRegular } from "./open-folder.ts";
import { createSlots } from "./slots.ts";
import { createTellAgain } from "./tell-again.ts";
import { createTurns } from "./turns.ts";

const DEFAULT_READ_LIMIT = 16 * 1024 * 1024;
/**
 * Upper limit of a whole read, whatever was requested: it has to fit into one frame. Longer files
 * are read in pieces.
 */
const MAX_READ = MAX_PIECE;
const WRITES_AT_ONCE = 80;
/** Maximum number of attempts to write a file whose folder disappears meanwhile. */
const TRIES = 20;

/** A file that is read in pieces; an empty piece marks its end. */
export interface OpenReader {
  size: number;
  read(length: number): Promise<Uint8Array>;
  close(): void;
}

/** A file that is written in pieces. */
export interface OpenDraft {
  append(bytes: Uint8Array): Promise<void>;
  commit(ifVersion: string | undefined): Promise<Written>;
  discard: FileDraft["discard"];
}

export function versionOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

/** File operations inside the sandbox. All throw WorkspaceError. */
export function createFiles(root: string, disk: Disk = systemDisk) {
  const syncFolder = createFolderSync(disk);
  const slots = createSlots(WRITES_AT_ONCE);
  const tellAgain = createTellAgain(root);
  /** Runs an operation on a file; every error names the file. */
  async function at<T>(path: ProjectPath, act: () => T | Promise<T>): Promise<T> {
    if (path === "") throw new WorkspaceError("not-a-file", sentence("project-folder-not-file"));
    try {
      return await act();
    } catch (error) {
      throw failure(error, path);
    }
  }

  const openAt = (path: string) => inFolder(root, path, {}, (target) => openRegular(target, path));

  function readNow(path: string, limit: number): Buffer {
    const { fd, size } = openAt(path);
    try {
      if (size > limit)
        throw new WorkspaceError(
          "too-large",
          sentence("path-over-limit", { path: JSON.stringify(path), size, limit }),
        );
      const bytes = Buffer.allocUnsafe(size);
      let filled = 0;
      while (filled < size) {
        const count = readSync(fd, bytes, filled, size - filled, filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    } finally {
      closeSync(fd);
    }
  }

  /**
   * The version of the file at a path, in the form of another version; undefined if there is none.
   */
  function standing(path: string, like: string): string | undefined {
    try {
      const { fd } = openAt(path);
      try {
        return versionOfOpen(fd, like);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      const known = failure(error, path);
      if (known.code === "missing") return undefined;
      throw known;
    }
  }

  /** Serialises writes of a file, so that two writers with the same version cannot both succeed. */
  const inTurn = createTurns();

  function refuseOther(path: string, ifVersion: string | undefined): void {
    if (ifVersion === undefined) return;
    const current = standing(path, ifVersion);
    if (ifVersion === (current ?? "absent")) return;
    throw new WorkspaceError(
      "conflict",
      current === undefined
        ? sentence("path-gone", { path: JSON.stringify(path) })
        : sentence("path-changed", { path: JSON.stringify(path) }),
      current ?? "absent",
    );
  }

  async function writeOnce(
    path: ProjectPath,
    bytes: Uint8Array,
    options: { ifVersion?: string | undefined; executable?: boolean | undefined },
  ): Promise<Written> {
    const { ifVersion, executable } = options;
    const check = () => refuseOther(path, ifVersion);
    check();
    const draft = openDraft(root, path, { executable, disk, syncFolder });
    try {
      draft.append(bytes);
      // Checked again: a program in the sandbox may have written while the disk was syncing.
      return await draft.commit(check, ifVersion);
    } finally {
      draft.discard();
      tellAgain(path);
    }
  }

  /**
   * As `at`, for operations that change something. Refuses `.git`, because git runs its content as
   * the user who calls it (A23).
   */
  const changing: typeof at = (path, act) =>
    at(path, () => {
      if (/(?:^|\/)\.git(?:\/|$)/i.test(path))
        throw new WorkspaceError("path", sentence("path-of-git", { path: JSON.stringify(path) }));
      return act();
    });

  return {
    read: (path: ProjectPath, limit = DEFAULT_READ_LIMIT) =>
      at(path, () => {
        const bytes = readNow(path, Math.min(limit, MAX_READ));
        return { bytes, version: versionOf(bytes) };
      }),

    write: (
      path: ProjectPath,
      bytes: Uint8Array,
      options: { ifVersion?: string | undefined; executable?: boolean | undefined } = {},
    ): Promise<Written> =>
      changing(path, () =>
        // Limited, because every active write holds descriptors, and generated code shares the same
        // limit.
        slots(() =>
          inTurn(path, async () => {
            for (let tries = 1; ; tries++) {
              try {
                return await writeOnce(path, bytes, options);
              } catch (error) {
                // Its folder disappeared meanwhile: a person's `git checkout` or `git clean`
                // removes empty folders.
                if (failure(error, path).code !== "missing" || tries === TRIES) throw error;
              }
            }
          }),
        ),
      ),

    /** Starts a write in pieces: the caller has to call `commit` or `discard`. */
    draft: (path: ProjectPath, options: { executable?: boolean | undefined } = {}) =>
      changing(path, (): OpenDraft => {
        const draft = openDraft(root, path, { ...options, disk, syncFolder });
        return {
          append: (bytes) => at(path, () => draft.append(bytes)),
          commit: (ifVersion) =>
            at(path, () =>
              inTurn(path, () => {
                const check = () => refuseOther(path, ifVersion);
                return draft.commit(check, ifVersion).finally(() => tellAgain(path));
              }),
            ),
          discard: draft.discard,
        };
      }),

    /** Opens a file to be read in pieces: the caller has to call `close`. */
    reader: (path: ProjectPath) =>
      at(path, (): OpenReader => {
        const { fd, size } = openAt(path);
        let position = 0;
        return {
          size,
          read: (length) =>
            at(path, () => {
              // A file that grows meanwhile is read up to its original length.
              const bytes = Buffer.allocUnsafe(Math.min(length, size - position));
              const count = readSync(fd, bytes, 0, bytes.length, position);
              position += count;
              return bytes.subarray(0, count);
            }),
          close: () => closeSync(fd),
        };
      }),

    /**
     * Creates a link, replacing any file or link at that path. Only restoring a checkpoint does
     * this.
     */
    link: (path: ProjectPath, destination: string) =>
      changing(path, () =>
        inFolder(root, path, { make: true }, (target) => {
          const there = lstatSync(target, { throwIfNoEntry: false });
          if (there?.isDirectory()) refuseTarget(path, true);
          if (there) rmSync(target);
          symlinkSync(destination, target);
        }),
      ),

    /** Removes a folder if it is empty, and then its parents that became empty. */
    prune: (path: ProjectPath) =>
      at(path, () => {
        for (let folder = path; folder !== ""; folder = folderOf(folder)) {
          try {
            inFolder(root, folder, {}, (target) => rmdirSync(target));
          } catch {
            return;
          }
        }
      }),

    /**
     * Removes a file, or a folder with its content.
     * @param ifVersion removes the file only if it has this version; if absent, removes whatever has that path
     */
    remove: (path: ProjectPath, ifVersion?: string) =>
      changing(path, () => {
        refuseOther(path, ifVersion);
        return inFolder(root, path, {}, (target) => {
          if (!lstatSync(target).isDirectory()) return unlinkSync(target);
          try {
            rmSync(target, { recursive: true });
          } catch {
            // The folder is nested deeper than a path can be long; any other reason, such as a
            // read-only disk, is reported by this.
            removeDeepNow(target);
          }
        });
      }),

    rename: async (from: ProjectPath, to: ProjectPath) => {
      await changing(from, () => inFolder(root, from, {}, (target) => lstatSync(target)));
      await changing(to, () => {
        if (to.startsWith(`${from}/`))
          throw new WorkspaceError(
            "path",
            sentence("path-into-itself", { path: JSON.stringify(from) }),
          );
        inFolder(root, from, {}, (sourceTarget) =>
          inFolder(root, to, { make: true }, (target) => {
            if (lstatSync(target, { throwIfNoEntry: false }))
              throw new WorkspaceError(
                "exists",
                sentence("path-exists", { path: JSON.stringify(to) }),
              );
            renameSync(sourceTarget, target);
          }),
        );
      });
    },
  };
}
