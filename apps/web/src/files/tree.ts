import type { FileInfo } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";

export interface TreeRow {
  path: string;
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
  isOpen: (folder: string) => boolean,
): TreeRow[] {
  const children = new Map<string, Map<string, FileInfo>>();
  const add = (info: FileInfo) => {
    const slash = info.path.lastIndexOf("/");
    const parent = slash === -1 ? "" : info.path.slice(0, slash);
    let siblings = children.get(parent);
    if (!siblings) {
      siblings = new Map();
      children.set(parent, siblings);
      if (parent !== "") add({ path: parent, kind: "folder", size: 0 });
    }
    const known = siblings.get(info.path);
    if (!known || known.kind === "folder") siblings.set(info.path, info);
  };
  for (const file of files) add(file);

  const rows: TreeRow[] = [];
  const walk = (parent: string, depth: number) => {
    const siblings = [...(children.get(parent)?.values() ?? [])].sort(compare);
    for (const { path, kind, size } of siblings) {
      const folder = kind === "folder";
      const open = folder && isOpen(path);
      rows.push({
        path,
        name: visibleName(path.slice(parent === "" ? 0 : parent.length + 1)),
        folder,
        depth,
        open,
        size,
        binaryKind: kind === "link" || kind === "other",
      });
      if (open) walk(path, depth + 1);
    }
  };
  walk("", 0);
  return rows;
}

function compare(a: FileInfo, b: FileInfo): number {
  const folders = Number(b.kind === "folder") - Number(a.kind === "folder");
  if (folders !== 0) return folders;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The folders above a path, the outermost first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
