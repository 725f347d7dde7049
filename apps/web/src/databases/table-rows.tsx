import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Cell, DatabaseQuestion, Table } from "@treadle/protocol";
import { useDeferredValue, useState } from "react";
import { Trash2 } from "../ui/icons.ts";
import { askDatabase, databaseKey, readRows, type Place } from "../api/databases.ts";
import { sentence } from "../api/request.ts";
import { visibleName } from "../files/tree.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { AddRow } from "./add-row.tsx";
import { EditedCell } from "./edited-cell.tsx";
import { RowsTable, type Order } from "./rows-table.tsx";

/** Number of rows per request. */
const PAGE_ROWS = 100;

/** The rows of a table, with search, sorting, editing, adding and removing. */
export function TableRows({ place, table }: { place: Place; table: Table }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<Order>();
  const [offset, setOffset] = useState(0);
  const [removing, setRemoving] = useState<string>();
  const { act, busy, problem } = useAct();
  const key = databaseKey(project, place);
  const question = {
    ask: "rows" as const,
    table: table.name,
    filter: useDeferredValue(filter),
    order,
    offset,
  };
  const { data, error } = useQuery({
    queryKey: [...key, "rows", question],
    queryFn: () => readRows(project, place, question),
    placeholderData: keepPreviousData,
  });
  const ids = table.kind === "table" ? data?.ids : undefined;
  const change = (asked: DatabaseQuestion) =>
    act(async () => {
      await askDatabase(project, place, asked);
      await client.invalidateQueries({ queryKey: key });
    });
  const cell = (value: Cell, row: number, column: number) => (
    <EditedCell
      value={value}
      name={data!.columns[column]!}
      onChange={
        ids &&
        ((to) =>
          change({
            ask: "change",
            table: table.name,
            row: ids[row]!,
            column: data!.columns[column]!,
            was: value,
            to,
          }))
      }
    />
  );
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label={words.databases.filter}
          type="search"
          value={filter}
          onText={(text) => {
            setFilter(text);
            setOffset(0);
          }}
        />
        <p role="status" className="numbers pb-1.5 text-small text-quiet">
          {data?.total === undefined
            ? ""
            : words.databases.rows({ amount: data.total, more: false })}
        </p>
      </div>
      {(error || problem) && (
        <p role="alert" className="text-failed">
          {problem ?? sentence(error)}
        </p>
      )}
      {data && (
        <RowsTable
          name={visibleName(table.name)}
          columns={data.columns}
          rows={data.rows}
          order={order}
          onOrder={(next) => {
            setOrder(next);
            setOffset(0);
          }}
          cell={cell}
          last={
            ids &&
            ((row) => (
              <IconButton
                name={words.databases.removeRow}
                disabled={busy}
                onClick={() => setRemoving(ids[row])}
              >
                <Trash2 size={14} aria-hidden="true" />
              </IconButton>
            ))
          }
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {table.kind === "table" && (
          <AddRow
            columns={table.columns}
            busy={busy}
            onAdd={(values) => change({ ask: "add", table: table.name, values })}
          />
        )}
        <span className="grow" />
        {offset > 0 && (
          <Button onClick={() => setOffset(Math.max(0, offset - PAGE_ROWS))}>
            {words.databases.before}
          </Button>
        )}
        {data?.more && (
          <Button onClick={() => setOffset(offset + PAGE_ROWS)}>{words.databases.next}</Button>
        )}
      </div>
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={words.databases.removeAsk}
        action={words.databases.removeRow}
        onConfirm={async () => {
          await change({ ask: "remove", table: table.name, row: removing! });
        }}
      >
        {words.databases.removeAbout}
      </Confirm>
    </div>
  );
}
