import { readProjectPath } from "@treadle/protocol/project-path";
import { filesAtOnce } from "../api/files-at-once.ts";
import { changeProject, createProject, deleteProject } from "../api/projects.ts";
import { sendArchive, sendChats, sendLog, uploadFile, type TakenProject } from "../api/upload.ts";
import { words } from "../words/words.ts";

/** As the server has it of an archive. */
const MOST_FILES = 20_000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** What is made anew, or belongs to the system. */
const LEFT_OUT = /(^|\/)(node_modules|\.git|\.DS_Store|Thumbs\.db)(\/|$)/;

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
 * A project of a folder that was chosen, each file below its name.
 * @throws Error with a sentence where it is too much, or one file was not taken; nothing is left then
 */
export async function importFolder(
  given: readonly File[],
  { onShare, signal }: Options,
): Promise<{ id: string }> {
  const files = given.flatMap((file) => {
    const [, ...rest] = file.webkitRelativePath.split("/");
    const path = rest.join("/");
    return LEFT_OUT.test(path) ? [] : [{ file, path }];
  });
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length === 0) throw new Error(words.home.emptyFolder);
  if (files.length > MOST_FILES || bytes > MOST_BYTES) throw new Error(words.home.folderTooLarge);
  const { id } = await createProject({});
  try {
    const [name = ""] = given[0]?.webkitRelativePath.split("/") ?? [];
    if (name !== "") await changeProject(id, { name });
    const send = async ({ file, path }: (typeof files)[number]) => {
      const read = readProjectPath(path);
      if (!read.ok) throw new Error(words.home.badName(path));
      await uploadFile(id, read.path, file, { signal });
    };
    await filesAtOnce(files, send, { onFile: (sent) => onShare(sent / files.length), signal });
    signal.throwIfAborted();
    return { id };
  } catch (error) {
    await deleteProject(id).catch(() => undefined);
    throw error;
  }
}
