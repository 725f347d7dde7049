import type { FileBody, ProjectPath } from "@treadle/protocol";
import { filesAtOnce } from "../api/files-at-once.ts";
import { replacedIn } from "./line-match.ts";

/** Lines of one file to change, each with the text that was found. */
export interface FileLines {
  path: ProjectPath;
  lines: readonly { line: number; text: string }[];
}

interface ReplacedFile {
  path: ProjectPath;
  before: string;
  version: string;
  lines: number;
}

/** A replacement, which can be undone in files that have not changed since. */
export interface Replaced {
  files: readonly ReplacedFile[];
  /** Skipped files: someone else wrote first, or the file is not text. */
  skipped: readonly ProjectPath[];
  /** Number of files not processed because the replacement was stopped. */
  stopped: number;
}

interface Files {
  read(path: ProjectPath): Promise<Pick<FileBody, "text" | "version">>;
  write(path: ProjectPath, text: string, version: string): Promise<string>;
  /** Called after each file. @param done number of files completed so far */
  onFile?(done: number): void;
  /** Stops the replacement; a file in progress is completed first. */
  signal?: AbortSignal;
}

/**
 * Replaces the matches in these lines. Skips files that changed since they were read, and lines that differ from what
 * was found.
 */
export async function replaceInFiles(
  files: readonly FileLines[],
  { expression, to, regex }: { expression: RegExp; to: string; regex: boolean },
  project: Files,
): Promise<Replaced> {
  const replacedFiles = new Map<ProjectPath, ReplacedFile>();
  const replace = async ({ path, lines: found }: FileLines) => {
    const { text, version } = await project.read(path);
    if (text === undefined) return;
    // The search results' first line has no byte-order mark.
    const [mark] = /^\ufeff*/.exec(text)!;
    // Keeps each line's ending.
    const all = text.slice(mark.length).split(/(?<=\n)/);
    let here = 0;
    for (const { line, text: expected } of found) {
      const fullLine = all[line - 1];
      const [, words = "", end = ""] = /^([^]*?)(\r?\n?)$/.exec(fullLine ?? "") ?? [];
      // For a long line, search results contain only its beginning.
      if (fullLine === undefined || !words.startsWith(expected)) continue;
      const next = replacedIn(words, expression, to, regex) + end;
      if (next === fullLine) continue;
      all[line - 1] = next;
      here++;
    }
    if (here === 0) return;
    const after = await project.write(path, mark + all.join(""), version);
    replacedFiles.set(path, { path, before: text, version: after, lines: here });
  };
  // A file that cannot be read or written is skipped.
  const { length: stopped } = await filesAtOnce(
    files,
    (file) => replace(file).catch(() => {}),
    project,
  );
  const paths = files.slice(0, files.length - stopped).map(({ path }) => path);
  return {
    files: paths.flatMap((path) => replacedFiles.get(path) ?? []),
    skipped: paths.filter((path) => !replacedFiles.has(path)),
    stopped,
  };
}

export const linesOf = ({ files }: Pick<Replaced, "files">) =>
  files.reduce((sum, { lines }) => sum + lines, 0);

/**
 * Undoes a replacement: restores the text of its files.
 * @returns `skipped`: files that changed since, which stay as they are; `rest`: files not processed because it was
 * stopped
 */
export async function undoReplace(
  { files }: Pick<Replaced, "files">,
  { write, ...options }: Pick<Files, "write" | "onFile" | "signal">,
): Promise<{ skipped: ProjectPath[]; rest: readonly ReplacedFile[] }> {
  const skipped: ProjectPath[] = [];
  const takeBack = async ({ path, before, version }: ReplacedFile) => {
    await write(path, before, version).catch(() => skipped.push(path));
  };
  return { skipped, rest: await filesAtOnce(files, takeBack, options) };
}
