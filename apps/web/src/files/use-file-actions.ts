import {
  isUnder,
  movedPath,
  pathIn,
  readProjectPath,
  toProjectPath,
} from "@treadle/protocol/project-path";
import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { noticeError } from "../ui/notice.ts";
import { renameFile, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { openFilesOf } from "./tabs-store.ts";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

const KEEPS = toProjectPath(".gitkeep");

/** What a person does to the list of files. Failures are told in a notice; nothing is replaced. */
export function useFileActions(files: readonly FileInfo[], refresh: () => Promise<unknown>) {
  const project = useProjectId();
  const openFile = useWork((state) => state.openFile);

  /** Resolves with what `work` gives for the path that was typed; undefined where it failed, which is told. */
  const attempt = async (typed: string, work: (path: ProjectPath) => Promise<void>) => {
    try {
      const path = pathOf(typed);
      await work(path);
      return path;
    } catch (failure) {
      noticeError(sentence(failure));
      return undefined;
    }
  };
  const move = async (from: ProjectPath, to: ProjectPath) => {
    if (files.some(({ path }) => path === to)) throw new Error(words.files.exists(to));
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
        openFile(path);
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
