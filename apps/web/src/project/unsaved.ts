import type { ProjectPath } from "@treadle/protocol";

/** Texts that could not be saved yet, kept while the page lives: closing a file loses nothing. */
export interface Unsaved {
  text: string;
  /** The version that the text was made from. */
  version: string | undefined;
  /** The text of that version. */
  base: string | undefined;
}

const texts = new Map<string, Unsaved>();
const key = (project: string, path: ProjectPath) => `${project}\0${path}`;

export function keepUnsaved(project: string, path: ProjectPath, unsaved: Unsaved): void {
  texts.set(key(project, path), unsaved);
}

export function takeUnsaved(project: string, path: ProjectPath): Unsaved | undefined {
  const found = texts.get(key(project, path));
  texts.delete(key(project, path));
  return found;
}

const open = new Set<() => Promise<void>>();

/** An editor is open whose text is saved by `save`. Returns what takes that back. */
export function openEditor(save: () => Promise<void>): () => void {
  open.add(save);
  return () => void open.delete(save);
}

/** Saves what is being typed, before something looks at the files. */
export async function saveEdits(): Promise<void> {
  await Promise.all([...open].map((save) => save()));
}

/** Lets the browser ask before it throws away what was not saved. Returns what takes that back. */
export function guardUnsaved(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (texts.size > 0) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
