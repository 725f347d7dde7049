import {
  isUnder,
  movedPath,
  pathIn,
  readProjectPath,
  toProjectPath,
} from "@treadle/protocol/project-path";
import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { renameFile, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { openFilesOf } from "./tabs-store.ts";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

const KEEPS = toProjectPath(".gitkeep");

/** The path that something has now, or why it could not be done. */
export type FileDone = { path: ProjectPath; reason?: never } | { path?: never; reason: string };

/** What a person does to the list of files. Nothing is replaced. */
export function useFileActions(files: readonly FileInfo[], refresh: () => Promise<unknown>) {
  const project = useProjectId();
  const openFile = useWork((state) => state.openFile);

  const attempt = async (
    typed: string,
    work: (path: ProjectPath) => Promise<void>,
  ): Promise<FileDone> => {
    try {
      const path = pathOf(typed);
      if (files.some((file) => file.path === path)) throw new Error(words.files.exists({ path }));
      await work(path);
      return { path };
    } catch (failure) {
      return { reason: sentence(failure) };
    }
  };
  const move = async (from: ProjectPath, to: ProjectPath) => {
    const { path: before } = useWork.getState();
    await renameFile(project, from, to);
    openFilesOf(project).getState().rename(from, to);
    await refresh();
    // Read now: the person may have opened another file meanwhile. One that was open is closed when its name is gone.
    const { path = before } = useWork.getState();
    if (path !== undefined && isUnder(path, from)) openFile(movedPath(path, from, to));
  };
  return {
    create: (typed: string) =>
      attempt(typed, async (path) => {
        await writeFile(project, path, "", undefined);
        await refresh();
        // Whoever makes a file writes in it next.
        openFile(path, { line: 1, column: 1 });
      }),
    /** Kept by an empty file of that name, as repositories do: a checkpoint has no empty folders. */
    createFolder: (typed: string) =>
      attempt(typed, async (path) => {
        await writeFile(project, pathIn(path, KEEPS), "", undefined);
        await refresh();
      }),
    rename: (from: ProjectPath, typed: string) => attempt(typed, (to) => move(from, to)),
  };
}

function pathOf(typed: string): ProjectPath {
  const read = readProjectPath(typed);
  if (!read.ok) throw new Error(`${typed} ${read.reason}.`);
  return read.path;
}
