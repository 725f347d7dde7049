import { verdictOn } from "@treadle/protocol/fold";
import { useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { historyLines } from "../fold/history-lines.ts";
import { useView } from "../live/live-context.tsx";
import { useNow } from "../ui/use-now.ts";
import { CheckpointRow } from "./checkpoint-row.tsx";
import { HistoryFilterFields, NO_FILTER, passesFilter } from "./history-filter.tsx";
import { words } from "../words/words.ts";

/** Every checkpoint, the newest first, with its actions. */
export function CheckpointList({ onDone }: { onDone: () => void }) {
  const checkpoints = useView((view) => view.checkpoints);
  const turns = useView((view) => view.turns);
  const handEdits = useView((view) => view.handEdits);
  const current = useView((view) => view.revision);
  const now = useNow(30_000);
  const lines = useMemo(
    () => historyLines({ checkpoints, turns, handEdits }),
    [checkpoints, turns, handEdits],
  );
  const verdicts = useView(
    useShallow((view) => lines.map(({ revision }) => verdictOn(view, revision)?.verdict)),
  );
  const [filter, setFilter] = useState(NO_FILTER);
  if (lines.length === 0) return <p className="p-3 text-quiet">{words.history.nothingYet}</p>;
  // Earlier checkpoints may have the same files, but only the newest of them is the current one.
  const newest = lines.findIndex(({ revision }) => revision === current);
  return (
    <>
      {lines.length > 1 && <HistoryFilterFields filter={filter} onChange={setFilter} />}
      <ol aria-label={words.history.checkpoints} className="max-h-[60vh] overflow-auto py-1">
        {lines.map(
          (line, index) =>
            passesFilter(line, verdicts[index], filter) && (
              <CheckpointRow
                key={line.checkpoint}
                line={line}
                now={now}
                match={line.revision !== current ? undefined : index === newest ? "now" : "as-now"}
                onDone={onDone}
              />
            ),
        )}
      </ol>
      <p role="status" className="px-3 text-small text-quiet not-empty:pb-2">
        {lines.every((line, index) => !passesFilter(line, verdicts[index], filter)) &&
          words.history.filterNone}
      </p>
    </>
  );
}
