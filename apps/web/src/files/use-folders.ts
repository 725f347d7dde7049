import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useState } from "react";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";
import { foldersAbove } from "./tree.ts";

/** In a project of more files than these, folders begin closed. */
const FEW = 400;
/** Folders that a browser remembers of one project: those that were used last. */
const KEPT = 400;

export interface Folders {
  isOpen(folder: ProjectPath): boolean;
  set(folder: ProjectPath, open: boolean): void;
  /** Opens all that a path lies in. */
  reveal(path: ProjectPath): void;
}

/** Which folders of a project are open, as this browser remembers it. */
export function useFolders(project: string, files: number): Folders {
  const key = `treadle.folders.${project}`;
  const [chosen, setChosen] = useState<ReadonlyMap<ProjectPath, boolean>>(() => read(key));
  useEffect(() => {
    if (chosen.size > 0) writeSetting(key, JSON.stringify([...chosen]));
  }, [chosen, key]);
  const isOpen = (folder: ProjectPath) => chosen.get(folder) ?? files <= FEW;
  const choose = (folders: readonly ProjectPath[], open: boolean) => {
    if (folders.every((folder) => isOpen(folder) === open)) return;
    const next = new Map(chosen);
    for (const folder of folders) {
      // What was used last stands last.
      next.delete(folder);
      next.set(folder, open);
    }
    setChosen(new Map([...next].slice(-KEPT)));
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
