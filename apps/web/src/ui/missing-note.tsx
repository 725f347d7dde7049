import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { useMissingParts } from "./missing-parts.ts";
import { ReloadButton } from "./reload-button.tsx";
import { useAct } from "./use-act.ts";

/**
 * Shown while a part of the page is missing because it failed to load, with the next actions. Not loaded lazily,
 * because it could then fail as well.
 */
export function MissingNote() {
  const parts = useMissingParts((state) => state.parts);
  const { act, busy, problem } = useAct();
  if (parts.length === 0) return null;
  const closes = parts.flatMap(({ close }) => close ?? []);
  return (
    <div
      role="alert"
      className="floating fixed bottom-4 left-1/2 z-60 w-105 max-w-[calc(100vw-16px)] -translate-x-1/2 space-y-3 p-4"
    >
      <p>{words.page.missing}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          disabled={busy}
          onClick={() => void act(() => Promise.all(parts.map(({ again }) => again())))}
        >
          {words.page.tryAgain}
        </Button>
        <ReloadButton />
        {closes.length === parts.length && (
          <Button kind="quiet" onClick={() => closes.forEach((close) => close())}>
            {words.ui.close}
          </Button>
        )}
      </div>
      {problem && <p className="text-failed">{problem}</p>}
    </div>
  );
}
