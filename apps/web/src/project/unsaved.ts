import type { ProjectPath } from "@treadle/protocol";

/** A text that is not saved yet, kept while the page lives: closing a file loses nothing. */
export interface Unsaved {
  readonly text: string;
  readonly source: {
    /** The version that the text was made from. */
    readonly version: string | undefined;
    /** The text of that version. */
    readonly base: string | undefined;
  };
}

const texts = new Map<string, Unsaved>();
/** Files that were closed while they are being saved. */
const saving = new Map<string, Promise<void>>();
const key = (project: string, path: ProjectPath) => `${project}\0${path}`;

export function keepUnsaved(project: string, path: ProjectPath, unsaved: Unsaved): void {
  texts.set(key(project, path), unsaved);
}

/** Removes a text that was saved, unless another one is kept in its place by now. */
export function forgetUnsaved(project: string, path: ProjectPath, unsaved: Unsaved): void {
  if (texts.get(key(project, path)) === unsaved) texts.delete(key(project, path));
}

/** A file was closed while it is being saved: whoever opens it again waits for that. */
export function savesClosed(project: string, path: ProjectPath, done: Promise<void>): void {
  const name = key(project, path);
  const all = Promise.all([saving.get(name), done]).then(() => {
    if (saving.get(name) === all) saving.delete(name);
  });
  saving.set(name, all);
}

/** Resolves when no closed file of that path is being saved. */
export const savedClosed = (project: string, path: ProjectPath): Promise<void> | undefined =>
  saving.get(key(project, path));

/** The text that was not saved when the file was closed; from then on it is the caller's. */
export function takeUnsaved(project: string, path: ProjectPath): Unsaved | undefined {
  const found = texts.get(key(project, path));
  texts.delete(key(project, path));
  return found;
}

/** An editor, as far as its text is concerned. */
interface OpenEditor {
  /** Resolves when what was typed is saved, or could not be. */
  save(): Promise<void>;
  hasUnsaved(): boolean;
}

const open = new Set<OpenEditor>();

/** Registers an open editor. Returns what takes that back. */
export function openEditor(editor: OpenEditor): () => void {
  open.add(editor);
  return () => void open.delete(editor);
}

/** Saves what is being typed, before something looks at the files. */
export async function saveEdits(): Promise<void> {
  await Promise.all([...open].map((editor) => editor.save()));
}

/** Lets the browser ask before it throws away what is not saved, and saves it meanwhile. Returns what takes that back. */
export function guardUnsaved(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (texts.size === 0 && ![...open].some((editor) => editor.hasUnsaved())) return;
    event.preventDefault();
    void saveEdits();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
