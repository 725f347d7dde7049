import { useMemo } from "react";
import { historyLines } from "../fold/history-lines.ts";
import { shortRevision } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { ago } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { visible } from "@treadle/protocol/safe-text";
import { useWork } from "../project/work-store.ts";
import { SeenPicture } from "./seen-picture.tsx";
import { useGoBack } from "./use-go-back.ts";
import { words } from "../words/words.ts";

/** Every checkpoint, the newest first, and the way back to it. */
export function CheckpointList({ onDone }: { onDone: () => void }) {
  const checkpoints = useView((view) => view.checkpoints);
  const turns = useView((view) => view.turns);
  const current = useView((view) => view.revision);
  const working = useView((view) => view.open !== undefined);
  const showChanges = useWork((state) => state.showChanges);
  const goBack = useGoBack();
  const now = useNow(30_000);
  const lines = useMemo(
    () =>
      historyLines({ checkpoints, turns }).map((line) => ({ ...line, title: visible(line.title) })),
    [checkpoints, turns],
  );
  if (lines.length === 0) return <p className="p-3 text-quiet">{words.history.nothingYet}</p>;
  return (
    <ol aria-label={words.history.checkpoints} className="max-h-[60vh] overflow-auto py-1">
      {lines.map(({ checkpoint, revision, at, title, note, before }, index) => (
        <li key={checkpoint} className="flex items-center gap-2 px-3 py-1.5">
          <SeenPicture revision={revision} />
          <div className="min-w-0 flex-1">
            <p dir="auto" className="truncate" title={title}>
              {title}
            </p>
            <p className="numbers truncate text-small text-quiet">
              {ago(at, now)} · <span className="font-mono">{shortRevision(revision)}</span>
              {note !== undefined && ` · ${note}`}
            </p>
          </div>
          {before !== undefined && (
            <Button
              kind="quiet"
              aria-label={words.history.changesOf(title)}
              onClick={() => {
                showChanges({ from: before, to: checkpoint });
                onDone();
              }}
            >
              {words.history.changes}
            </Button>
          )}
          {revision === current ? (
            <span className="px-2 text-small text-quiet">
              {/* The files may have been so before: that is another moment, and nothing to go back to. */}
              {index === lines.findIndex((one) => one.revision === current)
                ? words.history.now
                : words.history.asNow}
            </span>
          ) : (
            <Button
              disabled={working}
              title={working ? words.history.stopFirst : undefined}
              aria-label={words.history.goBackTo(title)}
              onClick={() => {
                void goBack(checkpoint, title);
                onDone();
              }}
            >
              {words.history.goBack}
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}
