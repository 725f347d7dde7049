import { useQueryClient } from "@tanstack/react-query";
import type { DatabaseAnswer } from "@treadle/protocol";
import { useState } from "react";
import { askDatabase, databaseKey, type Place } from "../api/databases.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { CellText } from "./cell.tsx";
import { RowsTable } from "./rows-table.tsx";

/** A box for SQL statements. */
export function SqlBox({ place }: { place: Place }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [sql, setSql] = useState("");
  const [answer, setAnswer] = useState<DatabaseAnswer>();
  const { act, busy, problem } = useAct();
  const run = () =>
    act(async () => {
      setAnswer(undefined);
      setAnswer(await askDatabase(project, place, { ask: "sql", sql }));
      await client.invalidateQueries({ queryKey: databaseKey(project, place) });
    });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <textarea
        aria-label={words.databases.sql}
        value={sql}
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        onChange={({ target }) => setSql(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void run();
        }}
        className="w-full rounded border border-edge bg-paper p-2 font-mono text-small"
      />
      <div className="flex items-center gap-3">
        <Button type="submit" kind="primary" disabled={busy || sql.trim() === ""}>
          {words.databases.run}
        </Button>
        <p role="status" className="numbers text-small text-quiet">
          {answer && "changed" in answer && words.databases.changed({ amount: answer.changed })}
          {answer &&
            "rows" in answer &&
            words.databases.rows({ amount: answer.rows.length, more: answer.more })}
        </p>
      </div>
      {problem && (
        <p role="alert" className="font-mono text-small break-words text-failed">
          {problem}
        </p>
      )}
      {answer && "rows" in answer && answer.rows.length > 0 && (
        <RowsTable
          name={words.databases.result}
          columns={answer.columns}
          rows={answer.rows}
          cell={(value) => <CellText cell={value} />}
        />
      )}
    </form>
  );
}
