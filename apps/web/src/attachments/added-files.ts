import { words } from "../words/words.ts";
/** A file selected, dropped or pasted by the person. `path` is its name, relative to the dropped folder's parent. */
export interface AddedFile {
  file: File;
  path: string;
}

/** Maximum number of files from one folder; larger projects are imported differently. */
const MAX_FOLDER_FILES = 500;
/** Names of files and folders that are skipped when a folder is attached. */
const IGNORED_NAMES = new Set([".git", "node_modules", ".DS_Store", "Thumbs.db"]);

/** Selected or pasted files, with their names as paths; "file" for a file without a name. */
export const withNames = (files: Iterable<File>): AddedFile[] =>
  [...files].map((file) => ({ file, path: file.name || "file" }));

/** Whether files are being dragged, rather than text of a page. */
export const hasFiles = (data: DataTransfer | null): boolean =>
  data?.types.includes("Files") ?? false;

/**
 * The dropped files, including all files in folders. Call during the event; its data is gone afterwards.
 * @throws Error with a sentence if there are too many or one cannot be read
 */
export async function readDroppedFiles(data: DataTransfer): Promise<AddedFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return withNames(data.files);
  const found: AddedFile[] = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

async function walk(entry: FileSystemEntry, under: string, found: AddedFile[]): Promise<void> {
  if (IGNORED_NAMES.has(entry.name)) return;
  const path = under + entry.name;
  if (entry.isFile) {
    if (found.length >= MAX_FOLDER_FILES)
      throw new Error(words.attachments.tooMany({ most: MAX_FOLDER_FILES }));
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, () =>
        reject(new Error(words.attachments.unreadable({ path }))),
      ),
    );
    found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, () => reject(new Error(words.attachments.unreadable({ path })))),
    );
    if (some.length === 0) return;
    for (const one of some) await walk(one, `${path}/`, found);
  }
}
