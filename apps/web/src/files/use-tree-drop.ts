import type { ProjectPath } from "@treadle/protocol";
import { folderOf, isUnder, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { useState, type DragEvent } from "react";
import { readDroppedFiles, hasFiles, type AddedFile } from "../attachments/added-files.ts";
import { TAKES_FILES } from "../attachments/use-page-drop.ts";
import { sentence } from "../api/request.ts";
import { noticeError } from "../ui/notice.ts";
import type { TreeRow } from "./tree.ts";

/** Media type of a row dragged within the tree. */
const PATH = "application/x-treadle-path";

/** Moves rows by dragging, and uploads files dropped from the computer into a folder. */
export function useTreeDrop({
  rows,
  onMove,
  onUpload,
}: {
  rows: readonly TreeRow[];
  onMove: (from: ProjectPath, to: string) => unknown;
  onUpload: (folder: ProjectPath, added: AddedFile[]) => void;
}) {
  const [dropFolder, setDropFolder] = useState<ProjectPath>();
  /** The folder under the pointer: a file's folder, or the folder itself. */
  const folderAt = ({ target }: DragEvent): ProjectPath => {
    const path = (target as Element).closest<HTMLElement>("[data-path]")?.dataset["path"];
    const row = rows.find((one) => one.path === path);
    if (!row) return PROJECT_FOLDER;
    return row.folder ? row.path : folderOf(row.path);
  };
  const takes = ({ dataTransfer }: DragEvent) =>
    hasFiles(dataTransfer) || dataTransfer.types.includes(PATH);
  return {
    /** The folder in which a drop would land. */
    dropFolder,
    drag: (path: ProjectPath) => ({
      draggable: true,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dataTransfer.setData(PATH, path);
        dataTransfer.effectAllowed = "move";
      },
      onDragEnd: () => setDropFolder(undefined),
    }),
    drop: {
      [TAKES_FILES]: "",
      onDragOver: (event: DragEvent) => {
        if (!takes(event)) return;
        event.preventDefault();
        setDropFolder(folderAt(event));
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setDropFolder(undefined);
      },
      onDrop: (event: DragEvent) => {
        setDropFolder(undefined);
        if (!takes(event)) return;
        event.preventDefault();
        const folder = folderAt(event);
        if (hasFiles(event.dataTransfer)) {
          readDroppedFiles(event.dataTransfer).then(
            (added) => onUpload(folder, added),
            (error: unknown) => noticeError(sentence(error)),
          );
          return;
        }
        const from = rows.find(({ path }) => path === event.dataTransfer.getData(PATH))?.path;
        // Dropped into itself, or where it already is: nothing to move.
        if (from === undefined || isUnder(folder, from) || folderOf(from) === folder) return;
        const name = from.slice(from.lastIndexOf("/") + 1);
        onMove(from, folder === PROJECT_FOLDER ? name : `${folder}/${name}`);
      },
    },
  };
}
