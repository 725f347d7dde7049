import type { Span } from "../api/changes.ts";
import { lastTurnStart } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { useShownChanges } from "../project/changes-store.ts";

/** What is compared: what was chosen, else from before the last turn that changed anything to now. */
export function useSpan(): Span | undefined {
  const chosen = useShownChanges((state) => state.span);
  const first = useView((view) => view.checkpoints[0]?.checkpoint);
  const lastTurn = useView(lastTurnStart);
  const from = chosen?.from ?? lastTurn ?? first;
  return from === undefined ? undefined : { from, to: chosen?.to };
}
