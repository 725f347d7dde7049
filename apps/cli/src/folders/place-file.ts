import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { makeFolder } from "@treadle/common/make-folder";

const NEW = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
const MODE = 0o777;

/**
 * `.git` under any name that some file system treats as equal: in other case, with trailing dots or blanks, with a
 * stream's name, or as a short name. Git runs programs configured in it for anyone who looks at the folder (A23), and
 * files are written here without a sandbox.
 */
const GIT_NAME = /^(?:\.git[. ]*(?::.*)?|git~\d+)$/i;

/**
 * Writes one file under `target` atomically. Follows no link, and does not block on pipes or
 * devices (A22).
 * @returns the reason if it must not or cannot be written there
 */
export async function placeFile(
  target: string,
  { path, content }: { path: string; content: string | Uint8Array },
): Promise<string | undefined> {
  const found = await findPlace(target, path);
  if ("problem" in found) return found.problem;
  try {
    makeFolder(dirname(found.file));
    await replace(found.file, content);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Removes one file under `target`, if it exists.
 * @returns the reason if it must not or cannot be removed
 */
export async function removeFile(target: string, path: string): Promise<string | undefined> {
  const found = await findPlace(target, path);
  if ("problem" in found) return found.problem;
  try {
    await rm(found.file, { force: true });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Maximum size of a file that is compared or edited, in bytes. */
const MAX_READ_BYTES = 2_000_000;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads one file under `target` as text, with the same rules as `placeFile`.
 * @returns `text`: undefined if there is no file, null if it is not UTF-8 text or larger than 2 MB
 */
export async function readPlaced(
  target: string,
  path: string,
): Promise<{ text: string | undefined | null } | { problem: string }> {
  const found = await findPlace(target, path);
  if ("problem" in found) return found;
  try {
    const opened = await open(found.file, READ);
    try {
      const { size } = await opened.stat();
      if (size > MAX_READ_BYTES) return { text: null };
      const bytes = await opened.readFile();
      return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof TypeError) return { text: null };
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { text: undefined };
    return { problem: (error as Error).message };
  }
}

/** Whether the folder of a file exists. In an empty target, any folder may be created. */
export async function hasFolder(target: string, path: string): Promise<boolean> {
  const found = await findPlace(target, path);
  if ("problem" in found) return false;
  const folder = await lstat(dirname(found.file)).catch(() => undefined);
  return folder?.isDirectory() === true || (await readdir(target).catch(() => [])).length === 0;
}

/**
 * Resolves a path under `target`: never through a link, and only to a regular file or to nothing.
 */
async function findPlace(
  target: string,
  path: string,
): Promise<{ file: string } | { problem: string }> {
  const refuse = (problem: string) => ({ problem });
  const relative = normalize(path);
  if (path === "" || path.includes("\0")) return refuse("that is not a file name");
  if (isAbsolute(path) || /^[A-Za-z]:|\\/.test(path)) return refuse("the path is absolute");
  if (relative === ".." || relative.startsWith(`..${sep}`))
    return refuse("the path leaves the folder");
  const parts = relative.split(sep).filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) return refuse("that is not a file name");
  const git = parts.find((part) => GIT_NAME.test(part));
  if (git !== undefined) return refuse(`${git} belongs to git and is not changed`);
  let walked = target;
  for (const part of parts) {
    walked = join(walked, part);
    const found = await lstat(walked).catch(() => undefined);
    if (found?.isSymbolicLink()) return refuse(`${part} is a link`);
    if (found && part === parts.at(-1) && !found.isFile())
      return refuse(found.isDirectory() ? `${part} is a folder` : `${part} is not a plain file`);
  }
  return { file: walked };
}

/** Replaces an existing file without opening it, keeping its permissions. */
async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const mode = (await lstat(file).catch(() => undefined))?.mode;
  const draft = join(
    dirname(file),
    `.treadle-${basename(file).slice(0, 40)}-${randomBytes(6).toString("hex")}`,
  );
  const opened = await open(draft, NEW, 0o666);
  try {
    try {
      await opened.writeFile(content);
      if (mode !== undefined) await opened.chmod(mode & MODE);
      await opened.sync();
    } finally {
      await opened.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
