import type { FileBody, ProjectPath } from "@treadle/protocol";
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
}

/** What was replaced, and can be taken back as long as nobody changed the file again. */
export interface Replaced {
  files: readonly ReplacedFile[];
  lines: number;
  /** Not changed: another hand was first, or it is no text. */
  left: readonly ProjectPath[];
}

interface Files {
  read(path: ProjectPath): Promise<Pick<FileBody, "text" | "version">>;
  write(path: ProjectPath, text: string, version: string): Promise<string>;
  /** Told of each file that is done with. @param done how many are */
  onFile?(done: number): void;
}

/** Files that are read and written at the same time: a browser asks no more of one server. */
const AT_ONCE = 6;

/** Does it with all, some at a time. */
async function each<T>(
  all: readonly T[],
  act: (one: T) => Promise<void>,
  onFile: Files["onFile"],
): Promise<void> {
  const left = all.values();
  let done = 0;
  const work = async () => {
    for (const one of left) {
      await act(one);
      onFile?.(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
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
  let lines = 0;
  const replace = async ({ path, lines: found }: FileLines) => {
    const { text, version } = await project.read(path);
    if (text === undefined) return;
    // With what ends each, so that it stays.
    const all = text.split(/(?<=\n)/);
    let here = 0;
    for (const { line, text: expected } of found) {
      const whole = all[line - 1];
      const [, words = "", end = ""] = /^([^]*?)(\r?\n?)$/.exec(whole ?? "") ?? [];
      // What is found is told with its beginning alone where a line is long.
      if (whole === undefined || !words.startsWith(expected)) continue;
      const next = replacedIn(words, expression, to, regex) + end;
      if (next === whole) continue;
      all[line - 1] = next;
      here++;
    }
    if (here === 0) return;
    const after = await project.write(path, all.join(""), version);
    done.set(path, { path, before: text, version: after });
    lines += here;
  };
  // One that cannot be read or written is one that is left.
  await each(files, (file) => replace(file).catch(() => {}), project.onFile);
  const paths = files.map(({ path }) => path);
  return {
    files: paths.flatMap((path) => done.get(path) ?? []),
    lines,
    left: paths.filter((path) => !done.has(path)),
  };
}

/** Puts the files back as they were. @returns those that another hand has changed since, which stay as they are */
export async function undoReplace(
  { files }: Replaced,
  { write, onFile }: Pick<Files, "write" | "onFile">,
): Promise<ProjectPath[]> {
  const left: ProjectPath[] = [];
  const takeBack = async ({ path, before, version }: ReplacedFile) => {
    await write(path, before, version).catch(() => left.push(path));
  };
  await each(files, takeBack, onFile);
  return left;
}
