import { Text } from "@codemirror/state";
import type { FileBody, ProjectPath } from "@treadle/protocol";
import type { TextEdit } from "vscode-languageserver-protocol";
import { changesOf } from "./text-edits.ts";

/**
 * Changes files, each only as it stood when it was read: what another hand wrote meanwhile stays. All are read and looked
 * at before the first is written.
 * @returns how many were changed, and those that were not because somebody else was first
 * @throws Error where an edit does not fit a file: nothing is written then
 */
export async function applyChanges(
  files: readonly { path: ProjectPath; edits: readonly TextEdit[] }[],
  project: {
    read(path: ProjectPath): Promise<Pick<FileBody, "text" | "version">>;
    write(path: ProjectPath, text: string, version: string): Promise<string>;
  },
): Promise<{ changed: number; left: ProjectPath[] }> {
  const next: { path: ProjectPath; text: string; version: string }[] = [];
  for (const { path, edits } of files) {
    const { text, version } = await project.read(path);
    const after = text === undefined ? undefined : edited(text, edits);
    if (after === undefined) throw new Error(`${path} does not read as it was read before.`);
    if (after !== text) next.push({ path, text: after, version });
  }
  const left: ProjectPath[] = [];
  for (const { path, text, version } of next)
    await project.write(path, text, version).catch(() => left.push(path));
  return { changed: next.length - left.length, left };
}

/** The text as edits make it; undefined where they do not fit. A file's line ends stay as they are. */
function edited(text: string, edits: readonly TextEdit[]): string | undefined {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const doc = Text.of(text.split(lineEnd));
  const changes = changesOf(doc, edits);
  if (!changes) return undefined;
  let result = "";
  let at = 0;
  for (const { from, to, insert } of changes) {
    result += doc.sliceString(at, from, lineEnd) + insert;
    at = to;
  }
  return result + doc.sliceString(at, doc.length, lineEnd);
}
