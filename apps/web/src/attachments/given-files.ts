import { words } from "../words/words.ts";
/** A file that the person gave: chosen, dropped or pasted. `path` is its name, below the folder that it was dropped in. */
export interface GivenFile {
  file: File;
  path: string;
}

/** Files of one folder that are taken; a project is imported in another way. */
const MOST = 500;
/** What nobody means when a folder is given. */
const LEFT_OUT = new Set([".git", "node_modules", ".DS_Store", "Thumbs.db"]);

/** Files that were chosen or pasted. */
export const named = (files: Iterable<File>): GivenFile[] =>
  [...files].map((file) => ({ file, path: file.name || "file" }));

/** Whether files are dragged, and not text of a page. */
export const hasFiles = (data: DataTransfer | null): boolean =>
  data?.types.includes("Files") ?? false;

/**
 * What was dropped, folders with all that is in them. It has to be called while the event is told: afterwards its data is gone.
 * @throws Error with a sentence where it is too much, or cannot be read
 */
export async function dropped(data: DataTransfer): Promise<GivenFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return named(data.files);
  const found: GivenFile[] = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

async function walk(entry: FileSystemEntry, under: string, found: GivenFile[]): Promise<void> {
  if (LEFT_OUT.has(entry.name)) return;
  const path = under + entry.name;
  if (entry.isFile) {
    if (found.length >= MOST) throw new Error(words.attachments.tooMany({ most: MOST }));
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
