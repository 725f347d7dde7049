import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useProjectId } from "../live/live-context.tsx";
import { useWindow } from "../ui/use-window.ts";
import { isUnder, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { AddedFile } from "../attachments/added-files.ts";
import { useTreeDrop } from "./use-tree-drop.ts";
import { FileRow, ROW_STYLE } from "./file-row.tsx";
import { RowMenu } from "./row-menu.tsx";
import { PathField } from "./path-field.tsx";
import { openFilesOf } from "./tabs-store.ts";
import { foldersAbove, indexTree, treeRows, type TreeRow } from "./tree.ts";
import type { FileResult } from "./use-file-actions.ts";
import { useFolders } from "./use-folders.ts";
import { noticeError } from "../ui/notice.ts";
import { useTreeMarks } from "./use-tree-marks.ts";
import { words } from "../words/words.ts";

/** Height of a row in pixels. All rows have the same height, so that rows out of sight need not be drawn. */
const ROW_HEIGHT_PX = 26;
const TOUCH_ROW_HEIGHT_PX = 44;

export interface FileTreeProps {
  files: readonly FileInfo[];
  selected: ProjectPath | undefined;
  /** The file that the model is writing. */
  writing: ProjectPath | undefined;
  /** The file or folder being renamed. */
  renaming: ProjectPath | undefined;
  onOpen: (path: ProjectPath) => void;
  onRenaming: (path: ProjectPath | undefined) => void;
  /** Whether every folder is open, as in search results. */
  allOpen: boolean;
  onUpload: (folder: ProjectPath, added: AddedFile[]) => void;
  onDelete: (path: ProjectPath) => void;
  onNew: (kind: "file" | "folder", folder: ProjectPath) => void;
  onRename: (from: ProjectPath, to: string) => Promise<FileResult>;
}

/**
 * The project's files. Supports the keyboard: arrow keys, Home, End, Enter, and F2 to rename. Draws only the visible rows
 * and the row with the focus.
 */
export function FileTree(props: FileTreeProps) {
  const { files, allOpen, selected, writing, renaming } = props;
  const { onOpen, onRenaming, onRename, onUpload, onDelete, onNew } = props;
  const project = useProjectId();
  const folders = useFolders(project, files.length);
  const index = useMemo(() => indexTree(files), [files]);
  const rows = treeRows(index, allOpen ? () => true : folders.isOpen);
  const { dropFolder, drag, drop } = useTreeDrop({
    rows,
    onMove: async (from, to) => {
      const { reason } = await onRename(from, to);
      if (reason !== undefined) noticeError(reason);
    },
    onUpload,
  });
  const [active, setActive] = useState<ProjectPath>();
  const [height] = useState(() =>
    matchMedia("(pointer: coarse)").matches ? TOUCH_ROW_HEIGHT_PX : ROW_HEIGHT_PX,
  );
  const marks = useTreeMarks();
  const box = useRef<HTMLDivElement>(null);
  const seen = useWindow(box, rows.length, height);
  const placeOf = (path: ProjectPath | undefined) =>
    path === undefined ? -1 : rows.findIndex((row) => row.path === path);
  const current = [active, selected].map(placeOf).find((place) => place >= 0) ?? 0;

  /** The row that receives the focus once it is drawn. */
  const next = useRef<ProjectPath>(undefined);
  const focusNext = () => {
    if (next.current === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(
      `[data-path="${CSS.escape(next.current)}"]`,
    );
    if (!row) return;
    next.current = undefined;
    row.focus({ preventScroll: true });
  };
  useLayoutEffect(focusNext);
  // A file opened from elsewhere is scrolled into view, and its folders are opened.
  const [revealed, setRevealed] = useState<ProjectPath>();
  if (revealed !== selected) {
    setRevealed(selected);
    if (selected !== undefined) folders.reveal(selected);
  }
  const shown = useRef<ProjectPath>(undefined);
  useEffect(() => {
    if (shown.current === selected) return;
    const place = placeOf(selected);
    if (place >= 0) seen.show(place);
    if (place >= 0 || selected === undefined) shown.current = selected;
  });

  const moveTo = (place: number) => {
    const row = rows[place];
    if (!row) return;
    setActive(row.path);
    next.current = row.path;
    seen.show(place);
    // The row may already be drawn; if nothing else changes, the effect does not run again.
    focusNext();
  };
  /** The row that gets the focus back after its name field closes. */
  const back = useRef<ProjectPath>(undefined);
  useEffect(() => {
    if (back.current === undefined || renaming !== undefined) return;
    const place = placeOf(back.current);
    if (place < 0) return;
    if (document.activeElement === document.body) moveTo(place);
    back.current = undefined;
  });

  const choose = (row: TreeRow) => {
    setActive(row.path);
    if (row.folder) folders.set(row.path, !row.open);
    else onOpen(row.path);
  };

  const keys = (event: KeyboardEvent, row: TreeRow, place: number) => {
    switch (event.key) {
      case "ArrowDown":
        moveTo(place + 1);
        break;
      case "ArrowUp":
        moveTo(place - 1);
        break;
      case "Home":
        moveTo(0);
        break;
      case "End":
        moveTo(rows.length - 1);
        break;
      case "ArrowRight":
        if (row.folder && !row.open) folders.set(row.path, true);
        else if (row.folder) moveTo(place + 1);
        break;
      case "ArrowLeft":
        if (row.folder && row.open) folders.set(row.path, false);
        else moveTo(placeOf(foldersAbove(row.path).at(-1)));
        break;
      case "Delete":
        onDelete(row.path);
        // The row is removed; the focus moves to the one below it.
        moveTo(place + 1 < rows.length ? place + 1 : place - 1);
        break;
      case "F2":
        onRenaming(row.path);
        break;
      case "Enter":
      case " ":
        choose(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const drawn = new Set([current, placeOf(renaming)]);
  for (let place = seen.from; place < seen.to; place++) drawn.add(place);
  return (
    <RowMenu rows={rows} onNew={onNew} onRenaming={onRenaming} onDelete={onDelete}>
      <div
        ref={box}
        {...drop}
        className={`min-h-0 flex-1 overflow-auto pb-4 font-mono text-small ${
          dropFolder === PROJECT_FOLDER ? "bg-hover" : ""
        }`}
      >
        {rows.length === 0 && allOpen && (
          <p className="px-3 font-sans text-quiet">{words.files.noneFound}</p>
        )}
        <ul
          role="tree"
          aria-label={words.files.files}
          className="relative"
          style={{ height: rows.length * height }}
        >
          {[...drawn]
            .filter((place) => rows[place] !== undefined)
            .toSorted((a, b) => a - b)
            .map((place) => {
              const row = rows[place]!;
              const style = { top: place * height, height };
              return row.path === renaming ? (
                <li key={row.path} role="none" className={`${ROW_STYLE} z-10`} style={style}>
                  <PathField
                    label={words.files.newPathOf({ path: row.path })}
                    start={row.path}
                    onTake={async (to) => {
                      const { path, reason } = await onRename(row.path, to);
                      if (path === undefined) return reason;
                      back.current = path;
                      setActive(path);
                    }}
                    onDone={() => onRenaming(undefined)}
                    onCancel={() => {
                      back.current ??= row.path;
                      onRenaming(undefined);
                    }}
                  />
                </li>
              ) : (
                <FileRow
                  key={row.path}
                  row={row}
                  drag={drag(row.path)}
                  isDropTarget={
                    dropFolder !== undefined &&
                    dropFolder !== PROJECT_FOLDER &&
                    isUnder(row.path, dropFolder)
                  }
                  style={style}
                  selected={row.path === selected}
                  mark={marks.get(row.path)}
                  writing={row.path === writing}
                  inTabOrder={place === current}
                  onKey={(event) => keys(event, row, place)}
                  onChoose={() => choose(row)}
                  onKeep={() => openFilesOf(project).getState().keepOpen(row.path)}
                  onDelete={() => onDelete(row.path)}
                />
              );
            })}
        </ul>
      </div>
    </RowMenu>
  );
}
