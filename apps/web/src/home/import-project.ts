import { sendArchive, sendChats, sendLog, type ImportedProject } from "../api/upload.ts";
import { words } from "../words/words.ts";
import { packFolder } from "./pack-folder.ts";

/** The server's limits for an archive: number of files, and bytes. */
const MAX_FILES = 20_000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** Installed packages and git repositories, which make up most of many folders and which the server ignores. */
const IGNORED_FOLDERS = /(^|\/)(node_modules|\.git)(\/|$)/;
/** The one file of `.git` that is sent: git's index, which lists the tracked files. */
const INDEX = ".git/index";

interface Options {
  /** Called with the fraction sent, from 0 to 1. */
  onShare: (share: number) => void;
  signal: AbortSignal;
}

/** Creates a project from a ZIP archive. @throws Error with a sentence; nothing is left behind */
export const importArchive = (file: File, options: Options): Promise<{ id: string }> =>
  sendArchive(file, file.name.replace(/\.zip$/i, ""), options);

/**
 * Creates projects from an export: bolt's chats, several of which can be in one file, or a Treadle log in JSON Lines.
 * @throws Error with a sentence; nothing is left of the project that failed
 */
export async function importChats(file: File, options: Options): Promise<ImportedProject[]> {
  if (!/\.jsonl$/i.test(file.name)) return sendChats(file, options);
  const { id } = await sendLog(file, options);
  return [{ id, name: file.name, notes: [] }];
}

/**
 * Creates a project from a folder; the server decides which files belong to the project, as for an archive.
 * @throws Error with a sentence if it is too large or was refused; nothing is left behind
 */
export async function importFolder(
  given: readonly File[],
  options: Options,
): Promise<{ id: string }> {
  const files = given.flatMap((file) => {
    const [, ...rest] = file.webkitRelativePath.split("/");
    const path = rest.join("/");
    return path !== INDEX && IGNORED_FOLDERS.test(path) ? [] : [{ file, path }];
  });
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length === 0) throw new Error(words.home.emptyFolder);
  if (files.length > MAX_FILES || bytes > MOST_BYTES) throw new Error(words.home.folderTooLarge);
  const [name = ""] = given[0]?.webkitRelativePath.split("/") ?? [];
  return sendArchive(await packFolder(files, options.signal), name, options);
}
