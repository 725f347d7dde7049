import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { promisify } from "node:util";
import { TEMPORARY_PREFIX } from "../ignored.ts";
import { checkPath } from "../paths.ts";
import { WorkspaceError } from "../types.ts";
import { failure } from "./failure.ts";
import { inFolder, openRegular } from "./open-folder.ts";
import { createTurns } from "./turns.ts";

const sync = promisify(fsync);

const DEFAULT_READ_LIMIT = 16 * 1024 * 1024;

export function versionOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

/** The file operations, as they are done inside the sandbox. All throw WorkspaceError. */
export function createFiles(root: string) {
  /** Runs an operation under a checked path, every failure named after it. */
  async function at<T>(path: string, act: (checked: string) => T | Promise<T>): Promise<T> {
    const checked = checkPath(path);
    if (checked === "")
      throw new WorkspaceError("not-a-file", "the project's folder is not a file");
    try {
      return await act(checked);
    } catch (error) {
      throw failure(error, checked);
    }
  }

  function readNow(path: string, limit: number): Buffer {
    return inFolder(root, path, {}, (target) => {
      const { fd, size } = openRegular(target, path);
      try {
        if (size > limit)
          throw new WorkspaceError(
            "too-large",
            `${JSON.stringify(path)} has ${size} bytes; the limit is ${limit}`,
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
    });
  }

  /** Version of what stands at a path: absent, or the hash of its content. */
  function standing(path: string): string | undefined {
    try {
      return versionOf(readNow(path, Number.MAX_SAFE_INTEGER));
    } catch (error) {
      const known = failure(error, path);
      if (known.code === "missing") return undefined;
      throw known;
    }
  }

  /** Two writers that both hold the version that stands must not both be let through. */
  const inTurn = createTurns();

  function refuseOther(path: string, ifVersion: string | undefined): void {
    if (ifVersion === undefined) return;
    const stands = standing(path);
    if (ifVersion === (stands ?? "absent")) return;
    throw new WorkspaceError(
      "conflict",
      stands === undefined
        ? `${JSON.stringify(path)} is gone; nothing was written`
        : `${JSON.stringify(path)} was changed by somebody else; nothing was written`,
      stands ?? "absent",
    );
  }

  /** As `at`, for what changes something: git runs what lies in `.git` as whoever calls it, so nothing is put there (A23). */
  const changing: typeof at = (path, act) =>
    at(path, (checked) => {
      if (/^\.git(\/|$)/i.test(checked))
        throw new WorkspaceError(
          "path",
          `${JSON.stringify(checked)} belongs to git and is not changed`,
        );
      return act(checked);
    });

  return {
    read: (path: string, limit = DEFAULT_READ_LIMIT) =>
      at(path, (checked) => {
        const bytes = readNow(checked, limit);
        return { bytes, version: versionOf(bytes) };
      }),

    /** A file that is replaced keeps its permissions, unless `executable` says otherwise. */
    write: (
      path: string,
      bytes: Uint8Array,
      options: { ifVersion?: string | undefined; executable?: boolean | undefined } = {},
    ) =>
      changing(path, (checked) =>
        inTurn(checked, async () => {
          const { ifVersion, executable } = options;
          refuseOther(checked, ifVersion);
          return inFolder(root, checked, { make: true }, async (target, folder) => {
            const there = lstatSync(target, { throwIfNoEntry: false });
            if (there && !there.isFile()) refuseTarget(checked, there.isDirectory());
            const temporary = `${folder}/${TEMPORARY_PREFIX}${randomBytes(8).toString("hex")}`;
            const flags =
              constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
            const kept = there ? there.mode & 0o777 : 0o644;
            const mode = executable === undefined ? kept : executable ? 0o755 : 0o644;
            // Only what waits for the disk is handed to another thread: each such errand costs more than the rest together.
            const fd = openSync(temporary, flags, mode);
            try {
              try {
                writeFileSync(fd, bytes);
                await sync(fd);
              } finally {
                closeSync(fd);
              }
              // Once more: a program in here may have written while the disk was waited for.
              refuseOther(checked, ifVersion);
              renameSync(temporary, target);
            } catch (error) {
              rmSync(temporary, { force: true });
              throw error;
            }
            // Without this a power cut can still lose the rename, and with it the file.
            const directory = openSync(folder, constants.O_RDONLY);
            await sync(directory).finally(() => closeSync(directory));
            return { version: versionOf(bytes), size: bytes.length, created: there === undefined };
          });
        }),
      ),

    /** Makes a link in place of whatever file or link stands there. Only restoring a checkpoint does this. */
    link: (path: string, destination: string) =>
      changing(path, (checked) =>
        inFolder(root, checked, { make: true }, (target) => {
          const there = lstatSync(target, { throwIfNoEntry: false });
          if (there?.isDirectory()) refuseTarget(checked, true);
          if (there) rmSync(target);
          symlinkSync(destination, target);
        }),
      ),

    /** Takes a folder away if nothing is in it, and then those above it. */
    prune: (path: string) =>
      at(path, (checked) => {
        for (
          let folder = checked;
          folder !== "";
          folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))
        ) {
          try {
            inFolder(root, folder, {}, (target) => rmdirSync(target));
          } catch {
            return;
          }
        }
      }),

    remove: (path: string) =>
      changing(path, (checked) =>
        inFolder(root, checked, {}, (target) => {
          lstatSync(target);
          rmSync(target, { recursive: true });
        }),
      ),

    rename: (from: string, to: string) =>
      changing(from, (source) =>
        changing(to, (destination) =>
          inFolder(root, source, {}, (sourceTarget) =>
            inFolder(root, destination, { make: true }, (target) => {
              lstatSync(sourceTarget);
              if (lstatSync(target, { throwIfNoEntry: false }))
                throw new WorkspaceError("exists", `${JSON.stringify(destination)} exists already`);
              renameSync(sourceTarget, target);
            }),
          ),
        ),
      ),
  };
}

function refuseTarget(path: string, isFolder: boolean): never {
  throw isFolder
    ? new WorkspaceError("not-a-file", `${JSON.stringify(path)} is a folder`)
    : new WorkspaceError(
        "path",
        `${JSON.stringify(path)} is a link or a device and is not written through`,
      );
}
