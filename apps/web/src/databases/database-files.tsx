import { useQueryClient } from "@tanstack/react-query";
import type { Database } from "@treadle/protocol";
import { useRef, useState, type ReactNode } from "react";
import {
  contentAddress,
  databaseKey,
  databasesKey,
  putContent,
  type Place,
} from "../api/databases.ts";
import { visibleName } from "../files/tree.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

const DATABASE_FORMATS = { sqlite: ".db,.db3,.sqlite,.sqlite3", postgres: ".sql,application/sql" };

/** Downloads and uploads a database, or one of its tables as CSV. */
export function DatabaseFiles({
  place,
  table,
  kind = "sqlite",
  isFixed = false,
}: {
  place: Place;
  table?: string | undefined;
  /** The file format of the whole database. */
  kind?: Database["kind"];
  /** Download only. */
  isFixed?: boolean;
}) {
  const project = useProjectId();
  const client = useQueryClient();
  const [chosenFile, setChosenFile] = useState<File>();
  const [outcome, setOutcome] = useState<string>();
  const { act, busy, problem } = useAct();
  const put = async (file: File) => {
    setOutcome(undefined);
    setOutcome((await putContent(project, place, file, table)).said);
    await client.invalidateQueries({ queryKey: databaseKey(project, place) });
    // The upload may have created a copy of the previous data.
    await client.invalidateQueries({ queryKey: databasesKey(project) });
  };
  const name = visibleName(table ?? place.path);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <a className={buttonClass()} href={contentAddress(project, place, table)} download>
          {table === undefined ? words.databases.asFile : words.databases.asCsv}
        </a>
        {!isFixed && (
          <Chooser
            accept={table === undefined ? DATABASE_FORMATS[kind] : ".csv,text/csv"}
            label={words.databases.given({ name })}
            busy={busy}
            onFile={(file) => {
              if (table === undefined) setChosenFile(file);
              else void act(() => put(file));
            }}
          >
            {table === undefined ? words.databases.putFile : words.databases.putCsv}
          </Chooser>
        )}
      </div>
      {(problem ?? outcome) !== undefined && (
        <p
          role={problem === undefined ? "status" : "alert"}
          className={`w-full ${problem === undefined ? "" : "text-failed"}`}
        >
          {problem ?? outcome}
        </p>
      )}
      <Confirm
        open={chosenFile !== undefined}
        onClose={() => setChosenFile(undefined)}
        title={words.databases.putAsk({ name })}
        action={words.databases.putAction}
        onConfirm={() => put(chosenFile!)}
      >
        {words.databases.putAbout}
      </Confirm>
    </>
  );
}

function Chooser({
  accept,
  label,
  busy,
  onFile,
  children,
}: {
  accept: string;
  label: string;
  busy: boolean;
  onFile: (file: File) => void;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button disabled={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
