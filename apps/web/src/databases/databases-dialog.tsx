import { Tabs } from "@base-ui/react/tabs";
import { useQuery } from "@tanstack/react-query";
import type { Database } from "@treadle/protocol";
import { useState } from "react";
import {
  databaseKey,
  databaseOfCopy,
  databasesKey,
  isSqlCopy,
  readDatabases,
  readTables,
} from "../api/databases.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { useDatabasesStore } from "../project/databases-store.ts";
import { DialogBox } from "../ui/dialog-box.tsx";
import { formatBytes } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";
import { visibleName } from "../files/tree.ts";
import { KeepData } from "./keep-data.tsx";
import { DatabaseFiles } from "./database-files.tsx";
import { GoBackToCopy } from "./go-back-to-copy.tsx";
import { SqlBox } from "./sql-box.tsx";
import { TableRows } from "./table-rows.tsx";

/** The app's databases: their tables, and SQL. */
export default function DatabasesDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const { data, error } = useQuery({
    queryKey: databasesKey(project),
    queryFn: ({ signal }) => readDatabases(project, signal),
  });
  return (
    <DialogBox
      onClose={onClose}
      ready={data !== undefined}
      title={words.databases.title}
      className="top-[6vh] flex max-h-[88vh] w-240 max-w-[calc(100vw-16px)] flex-col"
    >
      <div className="min-h-60 flex-1 overflow-auto p-4">
        {error && <p className="text-failed">{sentence(error)}</p>}
        {!data && !error && <p className="text-quiet">{words.databases.reading}</p>}
        {data?.length === 0 && <p className="text-quiet">{words.databases.none}</p>}
        {data && data.length > 0 && <Chosen databases={data} />}
        {data && <KeepData project={project} />}
      </div>
    </DialogBox>
  );
}

const SELECT =
  "mt-0.5 block h-8 max-w-full rounded border border-edge bg-paper px-2 text-base text-ink pointer-coarse:h-11";
const TAB =
  "h-9 border-b-2 border-transparent px-2 text-quiet -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink pointer-coarse:h-11";
const keyOf = ({ environment, path }: Database) => `${environment} ${path}`;

function Chosen({ databases }: { databases: readonly Database[] }) {
  const project = useProjectId();
  const asked = useDatabasesStore((state) => state.path);
  const [key, setKey] = useState<string>();
  const [shown, setShown] = useState<string>();
  const [tab, setTab] = useState<"rows" | "sql">("rows");
  const [outcome, setOutcome] = useState<string>();
  const database =
    databases.find((one) => keyOf(one) === key) ??
    databases.find(({ environment, path }) => environment === "preview" && path === asked) ??
    databases[0]!;
  const original = databaseOfCopy(databases, database);
  const { data: tables, error } = useQuery({
    queryKey: [...databaseKey(project, database), "tables"],
    queryFn: () => readTables(project, database),
  });
  const table = tables?.find(({ name }) => name === shown) ?? tables?.[0];
  const canAsk = tables !== undefined && !isSqlCopy(database);
  // A database without tables has nothing to show, but SQL can create some.
  const current = canAsk && !table ? "sql" : tab;
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <label className="min-w-0 text-small text-quiet">
          {words.databases.database}
          <Select
            value={keyOf(database)}
            options={databases.map((one) => ({
              value: keyOf(one),
              name: `${words.databases.of[one.environment]} · ${visibleName(one.path)}${one.bytes === undefined ? "" : ` (${formatBytes(one.bytes)})`}`,
            }))}
            onChoose={(value) => {
              setKey(value);
              setOutcome(undefined);
            }}
            className={SELECT}
          />
        </label>
        {canAsk && table && current === "rows" && (
          <label className="min-w-0 text-small text-quiet">
            {words.databases.table}
            <Select
              value={table.name}
              options={tables.map(({ name, rows }) => ({
                value: name,
                name: rows === undefined ? visibleName(name) : `${visibleName(name)} (${rows})`,
              }))}
              onChoose={setShown}
              className={SELECT}
            />
          </label>
        )}
      </div>
      {outcome !== undefined && (
        <p role="status" className="mt-3">
          {outcome}
        </p>
      )}
      {error && <p className="mt-3 text-failed">{sentence(error)}</p>}
      {!tables && !error && <p className="mt-3 text-quiet">{words.databases.reading}</p>}
      <div className="mt-3 space-y-3">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          {original && (
            <GoBackToCopy
              copy={database.path}
              database={original}
              onDone={(done) => {
                setKey(keyOf(original));
                setOutcome(done);
              }}
            />
          )}
          <DatabaseFiles
            key={keyOf(database)}
            place={database}
            kind={database.kind}
            isFixed={isSqlCopy(database)}
          />
          {table && current === "rows" && (
            <DatabaseFiles
              key={`${keyOf(database)} ${table.name}`}
              place={database}
              table={table.name}
            />
          )}
        </div>
        {canAsk && (
          <Tabs.Root value={current} onValueChange={(next) => setTab(next as typeof tab)}>
            <Tabs.List aria-label={words.databases.ways} className="mb-3 flex border-b border-line">
              {table && (
                <Tabs.Tab value="rows" className={TAB}>
                  {words.databases.rowsTab}
                </Tabs.Tab>
              )}
              <Tabs.Tab value="sql" className={TAB}>
                {words.databases.language}
              </Tabs.Tab>
            </Tabs.List>
            {table && (
              <Tabs.Panel value="rows" className="outline-none">
                <TableRows
                  key={`${keyOf(database)} ${table.name}`}
                  place={database}
                  table={table}
                />
              </Tabs.Panel>
            )}
            <Tabs.Panel value="sql" keepMounted className="outline-none">
              <SqlBox key={keyOf(database)} place={database} />
            </Tabs.Panel>
          </Tabs.Root>
        )}
        {table && !canAsk && (
          <TableRows key={`${keyOf(database)} ${table.name}`} place={database} table={table} />
        )}
      </div>
    </>
  );
}
