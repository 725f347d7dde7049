import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { ChevronRight, File, Folder, Pencil } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { bytes } from "../ui/format.ts";
import { PathField } from "./path-field.tsx";
import { foldersAbove, treeRows, visibleName, type TreeRow } from "./tree.ts";

/** Rows that are drawn; a project with more is better searched than scrolled. */
const ROWS_SHOWN = 2000;

const rowOf = (list: HTMLElement | null, path: ProjectPath) =>
  list?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);

export interface FileTreeProps {
  files: readonly FileInfo[];
  selected: ProjectPath | undefined;
  /** The file that is being written just now. */
  writing: ProjectPath | undefined;
  /** The file or folder whose path is being changed. */
  renaming: ProjectPath | undefined;
  onOpen: (path: ProjectPath) => void;
  onRenaming: (path: ProjectPath | undefined) => void;
  /** Resolves with its path then; undefined where it was not done. */
  onRename: (from: ProjectPath, to: string) => Promise<ProjectPath | undefined>;
}

/** The project's files, by the keyboard as well: up, down, left, right, Home, End, Enter, and F2 to rename. */
export function FileTree(props: FileTreeProps) {
  const { files, selected, writing, renaming, onOpen, onRenaming, onRename } = props;
  const [closed, setClosed] = useState<ReadonlySet<ProjectPath>>(() => new Set());
  const rows = useMemo(() => treeRows(files, (folder) => !closed.has(folder)), [files, closed]);
  const [active, setActive] = useState<ProjectPath>();
  const list = useRef<HTMLUListElement>(null);
  const current = [active, selected].find((path) => rows.some((row) => row.path === path));
  const inTabOrder = current ?? rows[0]?.path;
  /** Gets the focus back that the field of its new name had. */
  const back = useRef<ProjectPath>(undefined);
  useEffect(() => {
    if (back.current === undefined || renaming !== undefined) return;
    const row = rowOf(list.current, back.current);
    if (!row) return;
    back.current = undefined;
    if (document.activeElement === document.body) row.focus();
  });

  const fold = (folder: ProjectPath, close: boolean) =>
    setClosed((before) => {
      const next = new Set(before);
      if (close) next.add(folder);
      else next.delete(folder);
      return next;
    });

  // The file that is opened from elsewhere is never hidden in a closed folder.
  const [revealed, setRevealed] = useState(selected);
  if (revealed !== selected) {
    setRevealed(selected);
    const above = selected === undefined ? [] : foldersAbove(selected);
    if (above.some((folder) => closed.has(folder)))
      setClosed(new Set([...closed].filter((folder) => !above.includes(folder))));
  }

  const moveTo = (row: TreeRow | undefined) => {
    if (!row) return;
    setActive(row.path);
    rowOf(list.current, row.path)?.focus();
  };

  const keys = (event: KeyboardEvent, row: TreeRow, index: number) => {
    const parent = () => {
      const above = foldersAbove(row.path).at(-1);
      return rows.find((one) => one.path === above);
    };
    switch (event.key) {
      case "ArrowDown":
        moveTo(rows[index + 1]);
        break;
      case "ArrowUp":
        moveTo(rows[index - 1]);
        break;
      case "Home":
        moveTo(rows[0]);
        break;
      case "End":
        moveTo(rows.at(-1));
        break;
      case "ArrowRight":
        if (row.folder && !row.open) fold(row.path, false);
        else if (row.folder) moveTo(rows[index + 1]);
        break;
      case "ArrowLeft":
        if (row.folder && row.open) fold(row.path, true);
        else moveTo(parent());
        break;
      case "F2":
        onRenaming(row.path);
        break;
      case "Enter":
      case " ":
        if (row.folder) fold(row.path, row.open);
        else onOpen(row.path);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <ul
      ref={list}
      role="tree"
      aria-label="Files"
      className="min-h-0 flex-1 overflow-auto pb-4 font-mono text-small"
    >
      {rows.slice(0, ROWS_SHOWN).map((row, index) =>
        row.path === renaming ? (
          <li key={row.path} role="none" className="pt-0.5">
            <PathField
              label={`New path of ${row.path}`}
              start={row.path}
              onDone={async (to) => {
                back.current = row.path;
                onRenaming(undefined);
                const now = await onRename(row.path, to);
                if (now === undefined) return;
                back.current = now;
                setActive(now);
              }}
              onCancel={() => {
                back.current ??= row.path;
                onRenaming(undefined);
              }}
            />
          </li>
        ) : (
          <li
            key={row.path}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-selected={row.path === selected}
            aria-expanded={row.folder ? row.open : undefined}
            data-path={row.path}
            tabIndex={row.path === inTabOrder ? 0 : -1}
            title={
              row.folder ? visibleName(row.path) : `${visibleName(row.path)} · ${bytes(row.size)}`
            }
            onKeyDown={(event) => keys(event, row, index)}
            onClick={() => {
              setActive(row.path);
              if (row.folder) fold(row.path, row.open);
              else onOpen(row.path);
            }}
            className={`flex h-6.5 items-center gap-1 pr-2 whitespace-nowrap -outline-offset-2 hover:bg-hover pointer-coarse:h-11 ${
              row.path === selected ? "bg-hover text-accent" : ""
            }`}
            style={{ paddingLeft: 8 + row.depth * 12 }}
          >
            {row.folder ? (
              <ChevronRight
                size={14}
                aria-hidden="true"
                className={`shrink-0 text-quiet ${row.open ? "rotate-90" : ""}`}
              />
            ) : (
              <span className="w-3.5 shrink-0" />
            )}
            {row.folder ? (
              <Folder size={14} aria-hidden="true" className="shrink-0 text-quiet" />
            ) : row.path === writing ? (
              <span className="pulsing shrink-0 text-accent">
                <Pencil size={14} aria-hidden="true" />
              </span>
            ) : (
              <File size={14} aria-hidden="true" className="shrink-0 text-quiet" />
            )}
            <span className="truncate">{row.name}</span>
          </li>
        ),
      )}
      {rows.length > ROWS_SHOWN && (
        <li role="none" className="px-3 py-1 text-quiet">
          and {rows.length - ROWS_SHOWN} more
        </li>
      )}
    </ul>
  );
}
