import type { CSSProperties, HTMLAttributes, KeyboardEvent } from "react";
import { ChevronRight, File, Folder, Lock, Pencil, Trash2 } from "../ui/icons.ts";
import { bytes } from "../ui/format.ts";
import { useLock } from "./use-locks.ts";
import { visibleName, type TreeRow } from "./tree.ts";
import { words } from "../words/words.ts";

/** Each stands at its own place: those between need not be there. */
export const ROW_STYLE = "absolute inset-x-0";

/** One file or folder of the tree. */
export function FileRow({
  row,
  style,
  selected,
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
  writing: boolean;
  inTabOrder: boolean;
  /** What is dragged would go where it is. */
  isDropTarget: boolean;
  drag: HTMLAttributes<HTMLElement>;
  onKey: (event: KeyboardEvent) => void;
  onChoose: () => void;
  /** A file that was only looked at stays open. */
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
      title={row.folder ? name : `${name} · ${bytes(row.size)}`}
      onKeyDown={onKey}
      onClick={onChoose}
      onDoubleClick={onKeep}
      className={`group/row ${ROW_STYLE} flex items-center gap-1 pr-2 whitespace-nowrap -outline-offset-2 hover:bg-hover ${
        selected ? "text-accent" : ""
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
        <File size={14} aria-hidden="true" className="shrink-0 text-quiet" />
      )}
      <span className="min-w-0 flex-1 truncate">{row.name}</span>
      {lock !== undefined && (
        <Lock
          size={12}
          role="img"
          aria-label={words.editor.locked}
          className={`shrink-0 ${lock === "own" ? "text-unsure" : "text-quiet"}`}
        />
      )}
      {/* By the keyboard it is Delete. */}
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
