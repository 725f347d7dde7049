import type { Cell } from "@treadle/protocol";
import { visibleName } from "../files/tree.ts";
import type { ReactNode } from "react";
import { ArrowDown, ArrowUp } from "../ui/icons.ts";

export interface Order {
  column: string;
  descending: boolean;
}

/** A table of rows with a sticky header; clicking a column's header sorts by it. */
export function RowsTable({
  name,
  columns,
  rows,
  order,
  onOrder,
  cell,
  last,
}: {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  order?: Order | undefined;
  onOrder?: (order: Order) => void;
  cell: (value: Cell, row: number, column: number) => ReactNode;
  /** Shown after the last column. */
  last?: (row: number) => ReactNode;
}) {
  const arrow = (column: string) =>
    order?.column === column &&
    (order.descending ? (
      <ArrowDown size={12} aria-hidden="true" />
    ) : (
      <ArrowUp size={12} aria-hidden="true" />
    ));
  return (
    // Wide tables scroll by the keyboard as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div
      role="region"
      aria-label={name}
      tabIndex={0}
      className="overflow-x-auto rounded border border-line"
    >
      <table className="w-full border-collapse text-small">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                // SQL may give two columns one name.
                // oxlint-disable-next-line react/no-array-index-key
                key={`${column} ${index}`}
                scope="col"
                aria-sort={
                  order?.column === column
                    ? order.descending
                      ? "descending"
                      : "ascending"
                    : undefined
                }
                className="border-b border-line bg-raised px-2 py-1 text-left font-semibold whitespace-nowrap"
              >
                {onOrder ? (
                  <button
                    type="button"
                    className="inline-flex items-center gap-1 hover:text-accent pointer-coarse:min-h-11"
                    onClick={() =>
                      onOrder({
                        column,
                        descending: order?.column === column && !order.descending,
                      })
                    }
                  >
                    {visibleName(column)} {arrow(column)}
                  </button>
                ) : (
                  visibleName(column)
                )}
              </th>
            ))}
            {last && <td className="border-b border-line bg-raised" />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            // Rows have no key other than their position.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={rowIndex} className="hover:bg-hover">
              {row.map((value, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td
                  key={column}
                  className="max-w-80 border-b border-line px-2 py-1 align-top break-words"
                >
                  {cell(value, rowIndex, column)}
                </td>
              ))}
              {last && <td className="border-b border-line px-1 text-right">{last(rowIndex)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
