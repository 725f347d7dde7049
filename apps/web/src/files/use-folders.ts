import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useState } from "react";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { foldersAbove } from "./tree.ts";

/** In projects with more files than this, all folders are closed at first. */
const MAX_FILES_OPENED = 400;
/** Number of folders remembered per project, the most recently used ones. */
const MAX_FOLDERS = 400;

export interface Folders {
  isOpen(folder: ProjectPath): boolean;
  set(folder: ProjectPath, open: boolean): void;
  /** Opens all folders that contain a path. */
  reveal(path: ProjectPath): void;
}

/** Which folders of a project are open, stored in the browser. */
export function useFolders(project: string, files: number): Folders {
  const key = `treadle.folders.${project}`;
  const [chosen, setChosen] = useState<ReadonlyMap<ProjectPath, boolean>>(() => read(key));
  useEffect(() => {
    if (chosen.size > 0) writeSetting(key, JSON.stringify([...chosen]));
  }, [chosen, key]);
  const isOpen = (folder: ProjectPath) => chosen.get(folder) ?? files <= MAX_FILES_OPENED;
  const choose = (folders: readonly ProjectPath[], open: boolean) => {
    if (folders.every((folder) => isOpen(folder) === open)) return;
    const next = new Map(chosen);
    for (const folder of folders) {
      // Keeps the most recently used folder last.
      next.delete(folder);
      next.set(folder, open);
    }
    setChosen(new Map([...next].slice(-MAX_FOLDERS)));
  };
  return {
    isOpen,
    set: (folder, open) => choose([folder], open),
    reveal: (path) => choose(foldersAbove(path), true),
  };
}

function read(key: string): Map<ProjectPath, boolean> {
  try {
    const stored = JSON.parse(readSetting(key) ?? "[]") as [ProjectPath, boolean][];
    return new Map(
      stored.filter(([folder, open]) => typeof folder === "string" && typeof open === "boolean"),
    );
  } catch {
    return new Map();
  }
}
