import { useMemo } from "react";
import { shortRevision } from "../fold/select.ts";
import type { Checkpoint } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { ago } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { useWork } from "../work/work-store.ts";
import { useGoBack } from "./use-go-back.ts";

/** Every checkpoint, the newest first, and the way back to it. */
export function CheckpointList({ onDone }: { onDone: () => void }) {
  const checkpoints = useView((view) => view.checkpoints);
  const current = useView((view) => (view.stale ? undefined : view.revision));
  const working = useView((view) => view.open !== undefined);
  const showChanges = useWork((state) => state.showChanges);
  const goBack = useGoBack();
  const now = useNow(30_000);
  const turns = useView((view) => view.turns);
  /** What was asked for, by run: a better name than the step that kept the checkpoint. */
  const titles = useMemo(
    () =>
      new Map(
        turns
          .filter((turn) => turn.run !== undefined && turn.text !== "")
          .map((turn) => [turn.run, turn.text.replace(/\s+/g, " ").slice(0, 80)]),
      ),
    [turns],
  );
  const newest = useMemo(() => onePerRevision(checkpoints), [checkpoints]);
  if (newest.length === 0)
    return <p className="p-3 text-quiet">Nothing was kept yet. Each change makes a checkpoint.</p>;
  return (
    <ol aria-label="Checkpoints" className="max-h-[60vh] overflow-auto py-1">
      {newest.map(({ one, before }) => (
        <li key={one.checkpoint} className="flex items-center gap-2 px-3 py-1.5">
          <div className="min-w-0 flex-1">
            <p className="truncate">{titles.get(one.run ?? "") ?? one.label}</p>
            <p className="numbers truncate text-small text-quiet">
              {titles.has(one.run ?? "") && one.label !== titles.get(one.run ?? "")
                ? `${one.label} · `
                : ""}
              {ago(one.at, now)} · <span className="font-mono">{shortRevision(one.revision)}</span>
            </p>
          </div>
          {before && (
            <Button
              kind="quiet"
              aria-label={`Changes of ${one.label}`}
              onClick={() => {
                showChanges({ from: before, to: one.checkpoint });
                onDone();
              }}
            >
              Changes
            </Button>
          )}
          {one.revision === current ? (
            <span className="px-2 text-small text-quiet">now</span>
          ) : (
            <Button
              disabled={working}
              title={working ? "Stop the work first" : undefined}
              aria-label={`Go back to ${one.label}`}
              onClick={() => {
                void goBack(one.checkpoint, one.label);
                onDone();
              }}
            >
              Go back
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}

/** A revision that was kept twice in a row is one line. */
function onePerRevision(checkpoints: Checkpoint[]): { one: Checkpoint; before?: string }[] {
  const lines: { one: Checkpoint; before?: string }[] = [];
  let before: Checkpoint | undefined;
  for (const one of checkpoints) {
    if (before?.revision === one.revision) lines.pop();
    const last = lines.at(-1)?.one.checkpoint;
    lines.push({ one, ...(last === undefined ? {} : { before: last }) });
    before = one;
  }
  return lines.toReversed();
}
