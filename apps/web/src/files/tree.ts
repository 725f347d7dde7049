import { folderOf, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";

export interface TreeRow {
  path: ProjectPath;
  /** The last part of the path, made visible where it holds characters that cannot be seen. */
  name: string;
  folder: boolean;
  depth: number;
  open: boolean;
  size: number;
  binaryKind: boolean;
}

/** A name whose invisible and direction-changing characters are written out. */
export function visibleName(name: string): string {
  return visible(name.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
}

/**
 * The rows of the tree: folders first, then by name; what lies in a closed folder is left out. Folders that only
 * files speak of are there as well.
 */
export function treeRows(
  files: readonly FileInfo[],
  isOpen: (folder: ProjectPath) => boolean,
): TreeRow[] {
  const children = new Map<ProjectPath, Map<ProjectPath, FileInfo>>();
  const add = (info: FileInfo) => {
    const parent = folderOf(info.path);
    let siblings = children.get(parent);
    if (!siblings) {
      siblings = new Map();
      children.set(parent, siblings);
      if (parent !== PROJECT_FOLDER) add({ path: parent, kind: "folder", size: 0 });
    }
    const known = siblings.get(info.path);
    if (!known || known.kind === "folder") siblings.set(info.path, info);
  };
  for (const file of files) add(file);

  const rows: TreeRow[] = [];
  const walk = (parent: ProjectPath, depth: number) => {
    const siblings = [...(children.get(parent)?.values() ?? [])].sort(compare);
    for (const { path, kind, size } of siblings) {
      const folder = kind === "folder";
      const open = folder && isOpen(path);
      rows.push({
        path,
        name: visibleName(path.slice(parent === PROJECT_FOLDER ? 0 : parent.length + 1)),
        folder,
        depth,
        open,
        size,
        binaryKind: kind === "link" || kind === "other",
      });
      if (open) walk(path, depth + 1);
    }
  };
  walk(PROJECT_FOLDER, 0);
  return rows;
}

function compare(a: FileInfo, b: FileInfo): number {
  const folders = Number(b.kind === "folder") - Number(a.kind === "folder");
  if (folders !== 0) return folders;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The folders above a path, the outermost first. */
export function foldersAbove(path: ProjectPath): ProjectPath[] {
  const folder = folderOf(path);
  return folder === PROJECT_FOLDER ? [] : [...foldersAbove(folder), folder];
}
