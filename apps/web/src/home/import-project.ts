import { sendArchive, sendChats, sendLog, type TakenProject } from "../api/upload.ts";
import { words } from "../words/words.ts";
import { packFolder } from "./pack-folder.ts";

/** As the server has it of an archive. */
const MOST_FILES = 20_000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** Installed packages and repositories, which are most of many a folder: the server would take nothing of them. */
const LEFT_OUT = /(^|\/)(node_modules|\.git)(\/|$)/;
/** But for what says which files git tracks. */
const INDEX = ".git/index";

interface Options {
  /** Told how much of it was sent, from 0 to 1. */
  onShare: (share: number) => void;
  signal: AbortSignal;
}

/** A project of a ZIP. @throws Error with a sentence; nothing is left then */
export const importArchive = (file: File, options: Options): Promise<{ id: string }> =>
  sendArchive(file, file.name.replace(/\.zip$/i, ""), options);

/**
 * Projects of what was exported elsewhere: bolt's chats, of which a file can hold several, or a log of Treadle's, which is
 * JSON Lines.
 * @throws Error with a sentence; nothing is left of one that fails
 */
export async function importChats(file: File, options: Options): Promise<TakenProject[]> {
  if (!/\.jsonl$/i.test(file.name)) return sendChats(file, options);
  const { id } = await sendLog(file, options);
  return [{ id, name: file.name, notes: [] }];
}

/**
 * A project of a folder that was chosen; the server chooses which of its files are the project's, as of an archive.
 * @throws Error with a sentence where it is too much, or was not taken; nothing is left then
 */
export async function importFolder(
  given: readonly File[],
  options: Options,
): Promise<{ id: string }> {
  const files = given.flatMap((file) => {
    const [, ...rest] = file.webkitRelativePath.split("/");
    const path = rest.join("/");
    return path !== INDEX && LEFT_OUT.test(path) ? [] : [{ file, path }];
  });
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length === 0) throw new Error(words.home.emptyFolder);
  if (files.length > MOST_FILES || bytes > MOST_BYTES) throw new Error(words.home.folderTooLarge);
  const [name = ""] = given[0]?.webkitRelativePath.split("/") ?? [];
  return sendArchive(await packFolder(files, options.signal), name, options);
}
