import { Text } from "@codemirror/state";
import type { FileBody, ProjectPath } from "@treadle/protocol";
import { inFormOf, plainText } from "@treadle/dialects/text-form";
import type { TextEdit } from "vscode-languageserver-protocol";
import { words } from "../words/words.ts";
import { changesOf } from "./text-edits.ts";

/**
 * Edits files, each only if it is still in the version that was read, so that others' changes stay. Reads and checks all
 * files before writing the first.
 * @returns the number of changed files; the files skipped because someone else wrote first; and an undo function, which
 * resolves with the files it skipped because they have changed since
 * @throws Error if an edit does not fit its file; nothing is written then
 */
export async function applyChanges(
  files: readonly { path: ProjectPath; edits: readonly TextEdit[] }[],
  project: {
    read(path: ProjectPath): Promise<Pick<FileBody, "text" | "version">>;
    write(path: ProjectPath, text: string, version: string): Promise<string>;
  },
): Promise<{ changed: number; skipped: ProjectPath[]; undo: () => Promise<ProjectPath[]> }> {
  interface Next {
    path: ProjectPath;
    text: string;
    version: string;
    /** The text before the edits. */
    before: string;
  }
  const next: Next[] = [];
  for (const { path, edits } of files) {
    const { text, version } = await project.read(path);
    const after = text === undefined ? undefined : edited(text, edits);
    if (text === undefined || after === undefined)
      throw new Error(words.editor.otherwise({ path }));
    if (after !== text) next.push({ path, text: after, version, before: text });
  }
  const applied: Next[] = [];
  const skipped: ProjectPath[] = [];
  for (const one of next)
    await project.write(one.path, one.text, one.version).then(
      (version) => applied.push({ ...one, version }),
      () => skipped.push(one.path),
    );
  const undo = async () => {
    const stay: ProjectPath[] = [];
    for (const { path, before, version } of applied)
      await project.write(path, before, version).catch(() => stay.push(path));
    return stay;
  };
  return { changed: applied.length, skipped, undo };
}

/** Applies edits to a text; undefined if they do not fit. Keeps the byte-order mark and line endings. */
function edited(text: string, edits: readonly TextEdit[]): string | undefined {
  const doc = Text.of(plainText(text).split("\n"));
  const changes = changesOf(doc, edits);
  if (!changes) return undefined;
  let result = "";
  let at = 0;
  for (const { from, to, insert } of changes) {
    result += doc.sliceString(at, from) + insert;
    at = to;
  }
  return inFormOf(text, result + doc.sliceString(at));
}
