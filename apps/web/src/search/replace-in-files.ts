import type { FileBody, ProjectPath } from "@treadle/protocol";
import { filesAtOnce } from "../api/files-at-once.ts";
import { replacedIn } from "./line-match.ts";

/** Lines of one file that are to be changed, each as it was found. */
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

/** What was replaced, and can be taken back as long as nobody changed the file again. */
export interface Replaced {
  files: readonly ReplacedFile[];
  /** Not changed: another hand was first, or it is no text. */
  left: readonly ProjectPath[];
  /** Files that were not come to before it was stopped. */
  stopped: number;
}

interface Files {
  read(path: ProjectPath): Promise<Pick<FileBody, "text" | "version">>;
  write(path: ProjectPath, text: string, version: string): Promise<string>;
  /** Told of each file that is done with. @param done how many are */
  onFile?(done: number): void;
  /** Stops it: a file that is begun is done with first. */
  signal?: AbortSignal;
}

/**
 * Replaces what is found in these lines, each file only as it stood when it was read; a line that reads otherwise than it was
 * found is left.
 */
export async function replaceInFiles(
  files: readonly FileLines[],
  { expression, to, regex }: { expression: RegExp; to: string; regex: boolean },
  project: Files,
): Promise<Replaced> {
  const done = new Map<ProjectPath, ReplacedFile>();
  const replace = async ({ path, lines: found }: FileLines) => {
    const { text, version } = await project.read(path);
    if (text === undefined) return;
    // A search finds the first line without the byte-order mark.
    const [mark] = /^\ufeff*/.exec(text)!;
    // With what ends each, so that it stays.
    const all = text.slice(mark.length).split(/(?<=\n)/);
    let here = 0;
    for (const { line, text: expected } of found) {
      const fullLine = all[line - 1];
      const [, words = "", end = ""] = /^([^]*?)(\r?\n?)$/.exec(fullLine ?? "") ?? [];
      // What is found is told with its beginning alone where a line is long.
      if (fullLine === undefined || !words.startsWith(expected)) continue;
      const next = replacedIn(words, expression, to, regex) + end;
      if (next === fullLine) continue;
      all[line - 1] = next;
      here++;
    }
    if (here === 0) return;
    const after = await project.write(path, mark + all.join(""), version);
    done.set(path, { path, before: text, version: after, lines: here });
  };
  // One that cannot be read or written is one that is left.
  const { length: stopped } = await filesAtOnce(
    files,
    (file) => replace(file).catch(() => {}),
    project,
  );
  const paths = files.slice(0, files.length - stopped).map(({ path }) => path);
  return {
    files: paths.flatMap((path) => done.get(path) ?? []),
    left: paths.filter((path) => !done.has(path)),
    stopped,
  };
}

export const linesOf = ({ files }: Pick<Replaced, "files">) =>
  files.reduce((sum, { lines }) => sum + lines, 0);

/**
 * Puts the files back as they were.
 * @returns `left`: those that another hand has changed since, which stay as they are; `rest`: those that were not come to
 * before it was stopped
 */
export async function undoReplace(
  { files }: Pick<Replaced, "files">,
  { write, ...options }: Pick<Files, "write" | "onFile" | "signal">,
): Promise<{ left: ProjectPath[]; rest: readonly ReplacedFile[] }> {
  const left: ProjectPath[] = [];
  const takeBack = async ({ path, before, version }: ReplacedFile) => {
    await write(path, before, version).catch(() => left.push(path));
  };
  return { left, rest: await filesAtOnce(files, takeBack, options) };
}
