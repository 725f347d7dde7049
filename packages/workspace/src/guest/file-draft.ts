import { sentence } from "@treadle/protocol/sentences";
import { createHash, randomBytes } from "node:crypto";
import { constants, fstatSync, lstatSync, readSync } from "node:fs";
import { WorkspaceError } from "../types.ts";
import type { Disk } from "./disk.ts";
import { openDraftPlace, type DraftPlace } from "./draft-place.ts";
import { openFolder } from "./open-folder.ts";

/** Opened for reading too, in case the draft has to be written again. */
const NEW = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | constants.O_NOFOLLOW;
/** Maximum number of attempts to write a draft that someone removes, as `git clean` does. */
const TRIES = 20;
const PIECE = 1024 * 1024;

/** Makes the names of temporary files unique to this guest, whatever an earlier one left. */
const RUN = randomBytes(8).toString("hex");
let drafts = 0;

export interface Written {
  version: string;
  size: number;
  created: boolean;
}

/** A new version of a file, written in a folder beside it. Nobody sees it before `commit`. */
export interface FileDraft {
  append(bytes: Uint8Array): void;
  /**
   * Replaces the file.
   * @param check called right before the replacement; throws to leave the file unchanged
   * @param expected the version that the file must have; undefined: any. Content that someone
   * writes between the check and the replacement is put back.
   * @throws WorkspaceError `conflict` in that case, unless `check` throws first
   */
  commit(check: () => void, expected: string | undefined): Promise<Written>;
  /** Discards the draft and leaves the file unchanged. Does nothing after `commit`. */
  discard(): void;
}

/**
 * Starts an atomic write of a file: a temporary file, synced, renamed, and its folder synced. A
 * replaced file keeps its permissions, unless `executable` says otherwise.
 */
export function openDraft(
  root: string,
  path: string,
  options: {
    executable?: boolean | undefined;
    disk: Disk;
    syncFolder: (folder: number) => Promise<void>;
  },
): FileDraft {
  const { disk, executable } = options;
  const { target, folder, fd: folderFd, close } = openFolder(root, path, { make: true, disk });
  let fd = -1;
  let mode = 0;
  let size = 0;
  let open = true;
  const hash = createHash("sha1");
  let place: DraftPlace | undefined;
  let temporary = "";

  const release = () => {
    if (!open) return;
    open = false;
    if (fd !== -1) disk.close(fd);
    place?.close();
    close();
  };
  const removeTemporary = () => {
    try {
      disk.remove(temporary);
    } catch {
      // A failing disk leaves it; it is hidden, and swept later.
    }
  };

  let before: ReturnType<typeof lstatSync>;
  try {
    before = lstatSync(target, { throwIfNoEntry: false });
    if (before && !before.isFile()) refuseTarget(path, before.isDirectory());
    const previousMode = before ? Number(before.mode) & 0o777 : 0o644;
    mode = executable === undefined ? previousMode : executable ? 0o755 : 0o644;
    fd = openTemporary(mode);
  } catch (error) {
    release();
    throw error;
  }

  return {
    append(bytes) {
      hash.update(bytes);
      size += bytes.length;
      for (let at = 0; at < bytes.length;) at += disk.write(fd, bytes.subarray(at));
    },

    async commit(check, expected) {
      try {
        await disk.sync(fd);
        for (let tries = 1; fstatSync(fd).nlink === 0 && tries < TRIES; tries++) await writeAgain();
        const original = before ? openOriginal(target) : undefined;
        try {
          const stood = original === undefined ? "" : markOf(original);
          check();
          disk.rename(temporary, target);
          // Without this sync a power cut can still lose the rename, and with it the file.
          await options.syncFolder(folderFd).catch((error: unknown) => {
            putBack(original);
            throw error;
          });
          // An editor that writes in place may have done so between the check and the rename. A
          // changed time alone does not count as other content.
          const isOther = (file: number) =>
            markOf(file) !== stood && versionOfOpen(file, expected) !== expected;
          if (expected !== undefined && original !== undefined && isOther(original)) {
            putBack(original);
            check();
            throw new WorkspaceError(
              "conflict",
              sentence("path-changed", { path: JSON.stringify(path) }),
            );
          }
        } finally {
          if (original !== undefined) disk.close(original);
        }
        return { version: hash.digest("hex"), size, created: before === undefined };
      } catch (error) {
        removeTemporary();
        throw error;
      } finally {
        release();
      }
    },

    discard() {
      if (!open) return;
      removeTemporary();
      release();
    },
  };

  function openTemporary(withMode: number): number {
    for (let tries = 1; ; tries++) {
      place ??= openDraftPlace(folder, disk);
      temporary = `${place.folder}/${place.prefix}${RUN}-${++drafts}`;
      try {
        return disk.open(temporary, NEW, withMode);
      } catch (error) {
        // The folder itself may have been removed.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === TRIES) throw error;
        place.close();
        place = undefined;
      }
    }
  }

  /**
   * Copies the content of an open file into a new draft.
   * @returns its descriptor
   */
  function copy(from: number, withMode: number): number {
    const to = openTemporary(withMode);
    try {
      const piece = Buffer.allocUnsafe(PIECE);
      for (let at = 0; ;) {
        const count = readSync(from, piece, 0, PIECE, at);
        if (count === 0) return to;
        for (let done = 0; done < count;) done += disk.write(to, piece.subarray(done, count));
        at += count;
      }
    } catch (error) {
      disk.close(to);
      throw error;
    }
  }

  async function writeAgain(): Promise<void> {
    const gone = fd;
    fd = copy(gone, mode);
    disk.close(gone);
    await disk.sync(fd);
  }

  /**
   * Opens the file before it is replaced, so that its content can still be read after the rename.
   */
  function openOriginal(at: string): number | undefined {
    try {
      return disk.open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
  }

  /**
   * Restores the original file because the call is going to fail; on a failing disk this is best
   * effort.
   */
  function putBack(original: number | undefined): void {
    try {
      if (original === undefined) {
        if (!before) disk.remove(target);
        return;
      }
      disk.close(copy(original, Number(before!.mode) & 0o777));
      disk.rename(temporary, target);
    } catch {
      removeTemporary();
    }
  }
}

/** Size and modification time of an open file, at least one of which changes whenever it is written to. */
function markOf(fd: number): string {
  const { size, mtimeNs } = fstatSync(fd, { bigint: true });
  return `${size} ${mtimeNs}`;
}

/**
 * Prefix of a version that is git's blob id of the content, as in the manifests of revisions. Other versions are a plain
 * SHA-1 of it.
 */
const BLOB = "blob:";

/**
 * The version of an open file, read in pieces because it may be larger than memory.
 * @param like a version; if it is git's id of a content, so is the result
 */
export function versionOfOpen(fd: number, like = ""): string {
  const isBlob = like.startsWith(BLOB);
  const hash = createHash("sha1");
  if (isBlob) hash.update(`blob ${fstatSync(fd).size}\0`);
  const piece = Buffer.allocUnsafe(PIECE);
  for (let at = 0; ;) {
    const count = readSync(fd, piece, 0, PIECE, at);
    if (count === 0) return `${isBlob ? BLOB : ""}${hash.digest("hex")}`;
    hash.update(piece.subarray(0, count));
    at += count;
  }
}

export function refuseTarget(path: string, isFolder: boolean): never {
  throw isFolder
    ? new WorkspaceError("not-a-file", sentence("path-is-folder", { path: JSON.stringify(path) }))
    : new WorkspaceError(
        "path",
        sentence("path-not-written-through", { path: JSON.stringify(path) }),
      );
}
