import { isRunning } from "@treadle/protocol/fold";
import { useState } from "react";
import { Undo2 } from "../ui/icons.ts";
import type { ShownTurns } from "../fold/folded-turns.ts";
import { useView } from "../live/live-context.tsx";
import { useGoBack } from "../history/use-go-back.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { useFind } from "./find-store.ts";
import { TurnView } from "./turn-view.tsx";

/** Turns undone by restoring an earlier state. The model no longer sees them; they can be restored. */
export function FoldedTurns({ turns, back }: Extract<ShownTurns, { kind: "folded" }>) {
  const [open, setOpen] = useState(false);
  // A search unfolds the turns by showing a match in one of them.
  const [revealed, setRevealed] = useState(0);
  const reveal = useFind(({ current }) =>
    turns.some(({ message }) => message === current?.message) ? (current?.serial ?? 0) : 0,
  );
  if (reveal > revealed) {
    setRevealed(reveal);
    setOpen(true);
  }
  const working = useView(isRunning);
  const goBack = useGoBack();
  return (
    <section
      data-message={turns[0]?.message}
      aria-label={words.history.folded({ amount: turns.length })}
      className="space-y-4 border-l-2 border-line pl-3 text-quiet"
    >
      <div className="flex flex-wrap items-center gap-2 text-small">
        <Undo2 size={14} aria-hidden="true" />
        <span>{words.history.folded({ amount: turns.length })}</span>
        <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.history.fold : words.history.unfold}
        </Button>
        {back && (
          <Button
            kind="quiet"
            disabled={working}
            title={working ? words.history.stopFirst : words.history.bringBackHint}
            onClick={() =>
              void goBack({ ...back, conversation: true, label: words.history.beforeBack })
            }
          >
            {words.history.bringBack}
          </Button>
        )}
      </div>
      {open &&
        turns.map((turn) => <TurnView key={turn.run ?? turn.message} turn={turn} last={false} />)}
    </section>
  );
}
