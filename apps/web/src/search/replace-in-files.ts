import type { FileBody, ProjectPath } from "@treadle/protocol";
import { replacedIn } from "./line-match.ts";

/** Lines of one file that are to be changed, each as it was found. */
export interface FileLines {
  path: ProjectPath;
  lines: readonly { line: number; text: string }[];
}

/** What was replaced, and can be taken back as long as nobody changed the file again. */
export interface Replaced {
  files: readonly { path: ProjectPath; before: string; version: string }[];
  lines: number;
  /** Not changed: another hand was first, or it is no text. */
  left: readonly ProjectPath[];
}

interface Files {
  read(path: ProjectPath): Promise<Pick<FileBody, "text" | "version">>;
  write(path: ProjectPath, text: string, version: string): Promise<string>;
}

/**
 * Replaces what is found in these lines, file by file, each only as it stood when it was read; a line that reads otherwise
 * than it was found is left.
 */
export async function replaceInFiles(
  files: readonly FileLines[],
  { expression, to, regex }: { expression: RegExp; to: string; regex: boolean },
  project: Files,
): Promise<Replaced> {
  const done: Replaced["files"][number][] = [];
  const left: ProjectPath[] = [];
  let lines = 0;
  for (const { path, lines: found } of files) {
    const { text, version } = await project.read(path);
    if (text === undefined) {
      left.push(path);
      continue;
    }
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
    if (here === 0) {
      left.push(path);
      continue;
    }
    try {
      const after = await project.write(path, all.join(""), version);
      done.push({ path, before: text, version: after });
      lines += here;
    } catch {
      left.push(path);
    }
  }
  return { files: done, lines, left };
}

/** Puts the files back as they were. @returns those that another hand has changed since, which stay as they are */
export async function undoReplace(
  { files }: Replaced,
  write: Files["write"],
): Promise<ProjectPath[]> {
  const left: ProjectPath[] = [];
  for (const { path, before, version } of files)
    await write(path, before, version).catch(() => left.push(path));
  return left;
}
