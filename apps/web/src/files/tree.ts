import { folderOf, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";

export interface TreeRow {
  path: ProjectPath;
  /** The last part of the path, with invisible characters made visible. */
  name: string;
  folder: boolean;
  depth: number;
  open: boolean;
  size: number;
  /** Position in its folder, counted from 1, and the number of entries there. */
  position: number;
  siblings: number;
}

/** Replaces invisible and direction-changing characters in a name with visible codes. */
export function visibleName(name: string): string {
  return visible(name.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
}

/** The contents of each folder, sorted once, however often folders are opened and closed. */
export interface FileTreeIndex {
  /** The contents of a folder; "" is the project's root. */
  inside(folder: ProjectPath): readonly FileInfo[];
}

/**
 * Sorts folders first, then by name in natural order: `file2` before `file10`. Includes folders that only occur in file
 * paths.
 */
export function indexTree(files: readonly FileInfo[]): FileTreeIndex {
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
  const sorted = new Map<ProjectPath, FileInfo[]>();
  return {
    inside(folder) {
      let list = sorted.get(folder);
      if (!list)
        sorted.set(folder, (list = [...(children.get(folder)?.values() ?? [])].sort(compare)));
      return list;
    },
  };
}

/** The rows of the tree, without the contents of closed folders. */
export function treeRows(tree: FileTreeIndex, isOpen: (folder: ProjectPath) => boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (parent: ProjectPath, depth: number) => {
    const siblings = tree.inside(parent);
    for (const [index, { path, kind, size }] of siblings.entries()) {
      const folder = kind === "folder";
      const open = folder && isOpen(path);
      rows.push({
        path,
        name: visibleName(path.slice(parent === PROJECT_FOLDER ? 0 : parent.length + 1)),
        folder,
        depth,
        open,
        size,
        position: index + 1,
        siblings: siblings.length,
      });
      if (open) walk(path, depth + 1);
    }
  };
  walk(PROJECT_FOLDER, 0);
  return rows;
}

const naturally = new Intl.Collator(undefined, { numeric: true });

function compare(a: FileInfo, b: FileInfo): number {
  const folders = Number(b.kind === "folder") - Number(a.kind === "folder");
  // Names that compare as equal are ordered by their characters, so that the order never depends on the input.
  return folders || naturally.compare(a.path, b.path) || (a.path < b.path ? -1 : 1);
}

/** The folders that contain a path, the outermost first. */
export function foldersAbove(path: ProjectPath): ProjectPath[] {
  const folder = folderOf(path);
  return folder === PROJECT_FOLDER ? [] : [...foldersAbove(folder), folder];
}
