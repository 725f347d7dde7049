import { hunksOf, readUnifiedDiff } from "@treadle/dialects/diff";
import { useMemo, useState } from "react";
import { words } from "../words/words.ts";
import { rowsOf } from "./diff-rows.ts";
import { DiffTable } from "./diff-table.tsx";
import { linesOfDiff, segmentsOf } from "./segments.ts";

/** Maximum number of rows drawn. */
const MAX_ROWS = 2000;
const NOTHING_OPENED = new Map();

/** A read-only view of a diff. */
export function DiffView({ diff, name }: { diff: string; name: string }) {
  const [most, setMost] = useState(MAX_ROWS);
  const rows = useMemo(() => {
    const lines = readUnifiedDiff(diff);
    return rowsOf(segmentsOf(hunksOf(lines), linesOfDiff(lines), NOTHING_OPENED), false);
  }, [diff]);
  return (
    <div className="overflow-x-auto">
      <DiffTable
        name={name}
        rows={rows.length > most ? rows.slice(0, most) : rows}
        beside={false}
        before={undefined}
        after={undefined}
      />
      {rows.length > most && (
        <button
          type="button"
          className="px-3 py-1 text-small text-accent hover:underline pointer-coarse:min-h-11"
          onClick={() => setMost(most * 4)}
        >
          {words.changes.moreLines({ amount: rows.length - most })}
        </button>
      )}
    </div>
  );
}
