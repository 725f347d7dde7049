import type { ProjectPath } from "@treadle/protocol";
import { Fragment, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { visible } from "@treadle/protocol/safe-text";
import { ChevronRight, Replace, X } from "../ui/icons.ts";
import type { FoundLine } from "../api/search.ts";
import { IconButton } from "../ui/button.tsx";
import { useWindow } from "../ui/use-window.ts";
import { words } from "../words/words.ts";
import { partsOf, replacedIn } from "./line-match.ts";
import type { FileResults } from "./use-results.ts";

const ROW_HEIGHT_PX = 26;
const TOUCH_ROW_HEIGHT_PX = 44;
/** Characters shown before a match, so that it is visible in a narrow column. */
const CHARS_BEFORE = 24;

type Row =
  | { kind: "file"; file: FileResults; open: boolean }
  | { kind: "line"; file: FileResults; line: FoundLine };

/** Files with their matching lines; draws only the visible rows. Keyboard: arrow keys, Enter, Delete. */
export function ResultList({
  label,
  files,
  expression,
  replacing,
  onOpen,
  onReplace,
  onLeave,
}: {
  label: string;
  files: readonly FileResults[];
  expression: RegExp | undefined;
  /** The replacement to preview in each line. */
  replacing: { to: string; regex: boolean } | undefined;
  onOpen: (line: FoundLine, column: number) => void;
  onReplace: (file: FileResults, line?: FoundLine) => void;
  /** Excludes a result from the list and the replacement. */
  onLeave: (file: FileResults, line?: FoundLine) => void;
}) {
  const [shut, setShut] = useState<ReadonlySet<ProjectPath>>(new Set());
  const [active, setActive] = useState(0);
  const [height] = useState(() =>
    matchMedia("(pointer: coarse)").matches ? TOUCH_ROW_HEIGHT_PX : ROW_HEIGHT_PX,
  );
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () =>
      files.flatMap((file): Row[] => {
        const open = !shut.has(file.path);
        const lines = open ? file.lines.map((line): Row => ({ kind: "line", file, line })) : [];
        return [{ kind: "file", file, open }, ...lines];
      }),
    [files, shut],
  );
  const seen = useWindow(box, rows.length, height);
  const current = Math.min(active, rows.length - 1);

  const fold = (path: ProjectPath, open: boolean) =>
    setShut((before) => new Set(open ? [...before].filter((one) => one !== path) : [...before, path])); // prettier-ignore
  const moveTo = (place: number) => {
    const to = Math.max(0, Math.min(place, rows.length - 1));
    setActive(to);
    seen.show(to);
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus({ preventScroll: true }),
    );
  };
  const choose = (row: Row) => {
    if (row.kind === "file") return fold(row.file.path, !row.open);
    const at = expression ? row.line.text.search(new RegExp(expression.source, expression.flags.replace("g", ""))) : 0; // prettier-ignore
    onOpen(row.line, Math.max(0, at) + 1);
  };
  const press = (event: KeyboardEvent, row: Row, place: number) => {
    if (event.key === "ArrowDown") moveTo(place + 1);
    else if (event.key === "ArrowUp") moveTo(place - 1);
    else if (event.key === "Home") moveTo(0);
    else if (event.key === "End") moveTo(rows.length - 1);
    else if (event.key === "ArrowRight" && row.kind === "file") fold(row.file.path, true);
    else if (event.key === "ArrowLeft") {
      if (row.kind === "file") fold(row.file.path, false);
      else moveTo(rows.findIndex((one) => one.kind === "file" && one.file === row.file));
    } else if (event.key === "Enter" || event.key === " ") choose(row);
    else if (event.key === "Delete") onLeave(row.file, row.kind === "line" ? row.line : undefined);
    else return;
    event.preventDefault();
  };

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-auto pb-4 font-mono text-small">
      <ul
        role="tree"
        aria-label={label}
        className="relative"
        style={{ height: rows.length * height }}
      >
        {rows.slice(seen.from, seen.to).map((row, index) => {
          const place = seen.from + index;
          const { file } = row;
          const name = visible(file.path);
          return (
            <li
              key={row.kind === "file" ? file.path : `${file.path}:${row.line.line}`}
              role="treeitem"
              aria-level={row.kind === "file" ? 1 : 2}
              aria-expanded={row.kind === "file" ? row.open : undefined}
              aria-selected={place === current}
              data-row={place}
              tabIndex={place === current ? 0 : -1}
              title={row.kind === "file" ? name : `${name}:${row.line.line}`}
              onFocus={() => setActive(place)}
              onKeyDown={(event) => press(event, row, place)}
              onClick={() => choose(row)}
              className={`group/row absolute inset-x-0 flex items-center gap-1 pr-1 whitespace-pre -outline-offset-2 hover:bg-hover ${
                row.kind === "file" ? "pl-1" : "pl-5"
              }`}
              style={{ top: place * height, height }}
            >
              {row.kind === "file" ? (
                <>
                  <ChevronRight
                    size={14}
                    aria-hidden="true"
                    className={`shrink-0 text-quiet ${row.open ? "rotate-90" : ""}`}
                  />
                  <span className="min-w-0 truncate">{name}</span>
                  <span className="numbers shrink-0 pl-1 text-quiet">{file.lines.length}</span>
                  <span className="flex-1" />
                </>
              ) : (
                <LineWords text={row.line.text} expression={expression} replacing={replacing} />
              )}
              <span className="hidden shrink-0 group-focus-within/row:flex group-hover/row:flex">
                {replacing && (
                  <RowButton
                    name={row.kind === "file" ? words.editor.replaceInFile({ name }) : words.editor.replaceLine({ line: row.line.line })} // prettier-ignore
                    onClick={() => onReplace(file, row.kind === "line" ? row.line : undefined)}
                  >
                    <Replace size={13} aria-hidden="true" />
                  </RowButton>
                )}
                <RowButton
                  name={row.kind === "file" ? words.editor.leaveFile({ name }) : words.editor.leaveLine({ line: row.line.line })} // prettier-ignore
                  onClick={() => onLeave(file, row.kind === "line" ? row.line : undefined)}
                >
                  <X size={13} aria-hidden="true" />
                </RowButton>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A button at the end of a row. Excluded from the tab order, because the row's own keys do the same. */
function RowButton(props: React.ComponentProps<typeof IconButton>) {
  return (
    <IconButton
      {...props}
      tabIndex={-1}
      className="size-6! pointer-coarse:size-11!"
      onClick={(event) => {
        event.stopPropagation();
        props.onClick?.(event);
      }}
    />
  );
}

/** A line from shortly before its match; for a replacement, both before and after. */
function LineWords({
  text,
  expression,
  replacing,
}: {
  text: string;
  expression: RegExp | undefined;
  replacing: { to: string; regex: boolean } | undefined;
}) {
  const trimmed = text.trimStart();
  const all = partsOf(trimmed, expression);
  const lead = all[0]?.found === false ? all[0].text : "";
  const cut = lead.length > CHARS_BEFORE ? lead.length - CHARS_BEFORE : 0;
  const parts = partsOf(trimmed.slice(cut), expression);
  return (
    <span className="min-w-0 flex-1 truncate">
      {cut > 0 && "…"}
      {parts.map(({ text: words, found }, index) => {
        if (!found) return visible(words);
        if (!replacing || !expression)
          return (
            <mark key={index} className="rounded-sm bg-unsure/30 text-ink">
              {visible(words)}
            </mark>
          );
        const next = replacedIn(words, expression, replacing.to, replacing.regex);
        return (
          <Fragment key={index}>
            <del className="bg-failed/12 text-ink">{visible(words)}</del>
            <ins className="bg-verified/20 no-underline">{visible(next)}</ins>
          </Fragment>
        );
      })}
    </span>
  );
}
