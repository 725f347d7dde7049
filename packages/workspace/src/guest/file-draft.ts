import { createHash, randomBytes } from "node:crypto";
import { constants, fstatSync, lstatSync, readSync } from "node:fs";
import { WorkspaceError } from "../types.ts";
import type { Disk } from "./disk.ts";
import { openDraftPlace, type DraftPlace } from "./draft-place.ts";
import { openFolder } from "./open-folder.ts";

/** To be read as well, should it have to be written again. */
const NEW = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | constants.O_NOFOLLOW;
/** A draft that somebody takes away, as `git clean` does, is written again at most so often. */
const TRIES = 20;
const PIECE = 1024 * 1024;

/** Names of temporary files are this guest's own, whatever an earlier one left behind. */
const RUN = randomBytes(8).toString("hex");
let drafts = 0;

export interface Written {
  version: string;
  size: number;
  created: boolean;
}

/** A file that is being written in a folder beside the one it will replace. Nobody sees it before `commit`. */
export interface FileDraft {
  append(bytes: Uint8Array): void;
  /**
   * Replaces the file.
   * @param check called right before that; throws to leave it as it is
   * @param expected the version that the file must have; undefined: any. What somebody writes into it between the check and
   * the replacement is put back.
   * @throws WorkspaceError `conflict` in that case, unless `check` throws first
   */
  commit(check: () => void, expected: string | undefined): Promise<Written>;
  /** Leaves everything as it was. Does nothing after `commit`. */
  discard(): void;
}

/**
 * Starts writing a file, whole or not at all: a temporary file, synced, renamed, its folder synced.
 * A file that is replaced keeps its permissions, unless `executable` says otherwise.
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
      // A disk that fails keeps it; it is hidden, and swept later.
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
          // Without this a power cut can still lose the rename, and with it the file.
          await options.syncFolder(folderFd).catch((error: unknown) => {
            putBack(original);
            throw error;
          });
          // An editor that writes into the file itself may have come between the check and the rename. A time that was
          // changed alone is no other content.
          const isOther = (file: number) =>
            markOf(file) !== stood && versionOfOpen(file, expected) !== expected;
          if (expected !== undefined && original !== undefined && isOther(original)) {
            putBack(original);
            check();
            throw new WorkspaceError(
              "conflict",
              `${JSON.stringify(path)} was changed by somebody else; nothing was changed`,
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
        // The place itself may have been taken away.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === TRIES) throw error;
        place.close();
        place = undefined;
      }
    }
  }

  /** What an open file holds, in a new draft. @returns its descriptor */
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

  /** What a rename replaces can be read on through a descriptor that was opened before. */
  function openOriginal(at: string): number | undefined {
    try {
      return disk.open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
  }

  /** The call is going to fail, so what stood before has to stand again; on a failing disk as well as it can be done. */
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

/** Another one where what is open was written into. */
function markOf(fd: number): string {
  const { size, mtimeNs } = fstatSync(fd, { bigint: true });
  return `${size} ${mtimeNs}`;
}

/** What a version begins with that is git's id of the content, as manifests have it. */
const BLOB = "blob:";

/**
 * The version of an open file, read in pieces: it may be larger than memory.
 * @param like a version; if that is git's id of a content, so is the result
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
    ? new WorkspaceError("not-a-file", `${JSON.stringify(path)} is a folder`)
    : new WorkspaceError(
        "path",
        `${JSON.stringify(path)} is a link or a device and is not written through`,
      );
}
