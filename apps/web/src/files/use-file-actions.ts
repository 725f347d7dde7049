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
import { wordsOf } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

const PLACEHOLDER_FILE = toProjectPath(".gitkeep");

/** The new path, or why the action failed. */
export type FileResult = { path: ProjectPath; reason?: never } | { path?: never; reason: string };

/** The person's actions on the list of files. None of them replaces an existing file. */
export function useFileActions(files: readonly FileInfo[], refresh: () => Promise<unknown>) {
  const project = useProjectId();
  const openFile = useWork((state) => state.openFile);

  const attempt = async (
    typed: string,
    work: (path: ProjectPath) => Promise<void>,
  ): Promise<FileResult> => {
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
    // Read at this moment, because the person may have opened another file meanwhile. A tab is closed when its file no
    // longer exists.
    const { path = before } = useWork.getState();
    if (path !== undefined && isUnder(path, from)) openFile(movedPath(path, from, to));
  };
  return {
    create: (typed: string) =>
      attempt(typed, async (path) => {
        await writeFile(project, path, "", undefined);
        await refresh();
        // Opens a new file for editing.
        openFile(path, { line: 1, column: 1 });
      }),
    /** Creates an empty placeholder file, as repositories do, because a checkpoint cannot hold an empty folder. */
    createFolder: (typed: string) =>
      attempt(typed, async (path) => {
        await writeFile(project, pathIn(path, PLACEHOLDER_FILE), "", undefined);
        await refresh();
      }),
    rename: (from: ProjectPath, typed: string) => attempt(typed, (to) => move(from, to)),
  };
}

function pathOf(typed: string): ProjectPath {
  const read = readProjectPath(typed);
  if (!read.ok) {
    const values = { path: typed, reason: { code: read.fault } };
    throw new Error(wordsOf({ code: "path-invalid", values }) ?? typed);
  }
  return read.path;
}
