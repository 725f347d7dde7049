import type { ReactNode } from "react";
import type { ColouredPiece } from "../files/highlight.ts";
import { words } from "../words/words.ts";
import { CodeLine } from "./code-line.tsx";
import type { Cell, Row } from "./diff-rows.ts";
import { GapRow } from "./gap-row.tsx";

export interface DiffTableProps {
  name: string;
  rows: readonly Row[];
  beside: boolean;
  /** The coloured lines of both texts, as far as they have loaded. */
  before: ColouredPiece[][] | undefined;
  after: ColouredPiece[][] | undefined;
  /** The heading above a change; undefined shows none. */
  hunk?: (index: number) => ReactNode;
  /** Shows more of a gap; undefined if that is not possible. */
  onOpen?: (key: number, end: "top" | "bottom", lines: number) => void;
}

const REMOVED_GROUND = "bg-failed/10";
const ADDED_GROUND = "bg-verified/10";
const NUMBER = "numbers w-px min-w-10 py-0 pr-2 pl-3 text-right align-top text-quiet select-none";
const SIGN = "w-px px-1 align-top select-none";
const CODE = "py-0 pr-3 align-top break-words whitespace-pre-wrap [overflow-wrap:anywhere]";

/** The lines of a file's diff. A sign marks added and removed lines in addition to the colour. */
export function DiffTable(props: DiffTableProps) {
  const { name, rows, beside, hunk, onOpen } = props;
  const columns = beside ? 6 : 4;
  return (
    <table
      dir="ltr"
      className={`w-full border-collapse font-mono text-small ${beside ? "table-fixed" : ""}`}
    >
      <caption className="sr-only">{words.changes.linesOf({ name })}</caption>
      {beside && (
        <colgroup>
          <col className="w-12" />
          <col className="w-5" />
          <col />
          <col className="w-12" />
          <col className="w-5" />
          <col />
        </colgroup>
      )}
      <tbody>
        {rows.map((row, index) => {
          if (row.kind === "gap")
            return <GapRow key={`gap-${row.key}`} gap={row} columns={columns} onOpen={onOpen} />;
          if (row.kind === "hunk") {
            const head = hunk?.(row.index);
            return (
              head && (
                <tr key={`hunk-${row.index}`}>
                  <td colSpan={columns} className="p-0">
                    {head}
                  </td>
                </tr>
              )
            );
          }
          return beside ? (
            <tr key={index}>
              <Half {...props} cell={row.before} side="before" changed={row.kind === "changed"} />
              <Half {...props} cell={row.after} side="after" changed={row.kind === "changed"} />
            </tr>
          ) : (
            <OneLine key={index} {...props} row={row} />
          );
        })}
      </tbody>
    </table>
  );
}

function OneLine({
  row,
  before,
  after,
}: DiffTableProps & { row: Extract<Row, { kind: "same" | "changed" }> }) {
  const cell = row.after ?? row.before;
  if (!cell) return null;
  const isRemoved = row.kind === "changed" && row.after === undefined;
  const isAdded = row.kind === "changed" && row.before === undefined;
  const lines = row.after ? after : before;
  return (
    <tr className={isRemoved ? REMOVED_GROUND : isAdded ? ADDED_GROUND : ""}>
      <td className={`${NUMBER} max-wide:hidden`}>{row.before?.line}</td>
      <td className={`${NUMBER} ${row.after ? "" : "wide:text-transparent"}`}>
        {row.after?.line ?? <span className="wide:hidden">{row.before?.line}</span>}
      </td>
      <td className={`${SIGN} ${isRemoved ? "text-failed" : "text-verified"}`}>
        {isRemoved ? "−" : isAdded ? "+" : ""}
      </td>
      <td className={CODE}>
        <CodeLine
          cell={cell}
          coloured={lines?.[cell.line - 1]}
          mark={isRemoved ? "bg-failed/25" : "bg-verified/25"}
        />
      </td>
    </tr>
  );
}

function Half({
  cell,
  side,
  changed,
  before,
  after,
}: DiffTableProps & { cell: Cell | undefined; side: "before" | "after"; changed: boolean }) {
  const isOld = side === "before";
  const edge = isOld ? "" : "border-l border-line";
  if (!cell) return <td colSpan={3} className={`bg-hover/60 ${edge}`} />;
  const ground = changed ? (isOld ? REMOVED_GROUND : ADDED_GROUND) : "";
  return (
    <>
      <td className={`${NUMBER} ${ground} ${edge}`}>{cell.line}</td>
      <td className={`${SIGN} ${ground} ${isOld ? "text-failed" : "text-verified"}`}>
        {changed ? (isOld ? "−" : "+") : ""}
      </td>
      <td className={`${CODE} ${ground}`}>
        <CodeLine
          cell={cell}
          coloured={(isOld ? before : after)?.[cell.line - 1]}
          mark={isOld ? "bg-failed/25" : "bg-verified/25"}
        />
      </td>
    </>
  );
}
