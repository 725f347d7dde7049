import type { ProjectPath } from "@treadle/protocol";

/** Unsaved text, stored while the page is open, so that closing a file loses nothing. */
export interface Unsaved {
  readonly text: string;
  readonly source: {
    /** The version that the text is based on. */
    readonly version: string | undefined;
    /** The text of that version. */
    readonly base: string | undefined;
  };
}

const texts = new Map<string, Unsaved>();
/** Files that were closed while being saved. */
const saving = new Map<string, Promise<void>>();
const key = (project: string, path: ProjectPath) => `${project}\0${path}`;

export function storeUnsaved(project: string, path: ProjectPath, unsaved: Unsaved): void {
  texts.set(key(project, path), unsaved);
}

/** Removes text that has been saved, unless newer text has replaced it. */
export function forgetUnsaved(project: string, path: ProjectPath, unsaved: Unsaved): void {
  if (texts.get(key(project, path)) === unsaved) texts.delete(key(project, path));
}

/** Registers a file that was closed while being saved, so that reopening it waits. */
export function savesClosed(project: string, path: ProjectPath, done: Promise<void>): void {
  const name = key(project, path);
  const all = Promise.all([saving.get(name), done]).then(() => {
    if (saving.get(name) === all) saving.delete(name);
  });
  saving.set(name, all);
}

/** Resolves when a closed file with that path has been saved; undefined if none is being saved. */
export const savedClosed = (project: string, path: ProjectPath): Promise<void> | undefined =>
  saving.get(key(project, path));

/** Whether unsaved text of a closed file is stored. */
export const hasStoredText = (project: string, path: ProjectPath): boolean =>
  texts.has(key(project, path));

/** Removes and returns the text that was unsaved when the file was closed; undefined if there was none. */
export function takeUnsaved(project: string, path: ProjectPath): Unsaved | undefined {
  const found = texts.get(key(project, path));
  texts.delete(key(project, path));
  return found;
}

/** The text-related part of an editor. */
interface OpenEditor {
  /** Resolves once the typed text has been saved or the save has failed. */
  save(): Promise<void>;
  hasUnsaved(): boolean;
}

const open = new Set<OpenEditor>();

/** Registers an open editor. Returns a function that unregisters it. */
export function openEditor(editor: OpenEditor): () => void {
  open.add(editor);
  return () => void open.delete(editor);
}

/** Saves all open editors, before an operation that reads the files. */
export async function saveEdits(): Promise<void> {
  await Promise.all([...open].map((editor) => editor.save()));
}

/**
 * Makes the browser ask before it discards unsaved text, and saves it meanwhile. Returns a function that undoes this.
 */
export function guardUnsaved(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (texts.size === 0 && ![...open].some((editor) => editor.hasUnsaved())) return;
    event.preventDefault();
    void saveEdits();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
