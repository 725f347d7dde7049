import type { CSSProperties, HTMLAttributes, KeyboardEvent } from "react";
import { ChevronRight, Folder, Lock, Pencil, Trash2 } from "../ui/icons.ts";
import { formatBytes } from "../ui/format.ts";
import { TypeIcon } from "./type-icon.tsx";
import { useLock } from "./use-locks.ts";
import { visibleName, type TreeRow } from "./tree.ts";
import type { TreeMark } from "./use-tree-marks.ts";
import { words } from "../words/words.ts";

/** The style of a row. Rows are positioned absolutely, because the rows between them may not be drawn. */
export const ROW_STYLE = "absolute inset-x-0";

const MARK_LETTERS = { added: "A", changed: "M" } as const;
const MARK_COLOURS = { added: "text-verified", changed: "text-unsure" } as const;

/** One file or folder in the tree. */
export function FileRow({
  row,
  style,
  selected,
  mark,
  writing,
  inTabOrder,
  isDropTarget,
  drag,
  onKey,
  onChoose,
  onKeep,
  onDelete,
}: {
  row: TreeRow;
  style: CSSProperties;
  selected: boolean;
  /** How it changed in the last turn. */
  mark: TreeMark | undefined;
  writing: boolean;
  inTabOrder: boolean;
  /** Whether something dragged would be dropped here. */
  isDropTarget: boolean;
  drag: HTMLAttributes<HTMLElement>;
  onKey: (event: KeyboardEvent) => void;
  onChoose: () => void;
  /** Turns the preview tab of the file into a permanent one. */
  onKeep: () => void;
  onDelete: () => void;
}) {
  const name = visibleName(row.path);
  const { state: lock } = useLock(row.path);
  return (
    <li
      {...drag}
      role="treeitem"
      aria-label={lock === undefined ? row.name : `${row.name} (${words.editor.locked})`}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={selected}
      aria-expanded={row.folder ? row.open : undefined}
      data-path={row.path}
      tabIndex={inTabOrder ? 0 : -1}
      title={
        row.folder
          ? name
          : [name, formatBytes(row.size), ...(mark ? [words.files.marks[mark]] : [])].join(" · ")
      }
      onKeyDown={onKey}
      onClick={onChoose}
      onDoubleClick={onKeep}
      className={`group/row ${ROW_STYLE} flex items-center gap-1 pr-2 whitespace-nowrap -outline-offset-2 hover:bg-hover ${
        writing ? "text-accent" : ""
      } ${selected || isDropTarget ? "bg-hover" : ""}`}
      style={{ ...style, paddingLeft: 8 + row.depth * 12 }}
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
      ) : writing ? (
        <span className="pulsing shrink-0 text-accent">
          <Pencil size={14} aria-hidden="true" />
        </span>
      ) : (
        <TypeIcon path={row.path} />
      )}
      <span className="min-w-0 flex-1 truncate">{row.name}</span>
      {mark && (
        <span
          aria-hidden="true"
          data-mark={mark}
          // Drawn by the style sheet: as text it would have to be part of the row's name.
          data-letter={MARK_LETTERS[mark]}
          // On the background of a hovered row the mark's colours have too little contrast.
          className={`w-3 shrink-0 text-center font-sans font-semibold after:content-[attr(data-letter)] group-hover/row:text-ink ${selected ? "" : MARK_COLOURS[mark]}`}
        />
      )}
      {lock !== undefined && (
        <Lock
          size={12}
          role="img"
          aria-label={words.editor.locked}
          className={`shrink-0 ${lock === "own" ? "text-unsure" : "text-quiet"}`}
        />
      )}
      {/* The keyboard uses Delete. */}
      <button
        type="button"
        tabIndex={-1}
        aria-label={words.files.deleteFile({ name })}
        title={words.files.deleteFile({ name })}
        onClick={(event) => {
          event.stopPropagation();
          onDelete();
        }}
        className={`shrink-0 rounded p-0.5 text-quiet hover:text-failed pointer-coarse:p-3 ${
          selected ? "" : "hidden group-hover/row:block"
        }`}
      >
        <Trash2 size={13} aria-hidden="true" />
      </button>
    </li>
  );
}
