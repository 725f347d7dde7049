import { useMemo } from "react";
import { ArrowDown, ArrowUp, Columns2, Rows2 } from "../ui/icons.ts";
import type { Span } from "../api/changes.ts";
import type { FileChangeText } from "../api/projects.ts";
import { keysHint } from "../commands/hint.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { LineCountView } from "../ui/line-count.tsx";
import { words } from "../words/words.ts";
import { chooseBeside, useBeside } from "./beside-choice.ts";
import { countLines } from "./count-lines.ts";
import { setReviewed } from "./reviewed.ts";
import { SpanChoice } from "./span-choice.tsx";

/** The compared checkpoints, how many changes are reviewed, and the display options. */
export function ChangesHead({
  span,
  files,
  keys,
  reviewed,
  onJump,
}: {
  span: Span;
  files: readonly FileChangeText[] | undefined;
  keys: readonly string[];
  reviewed: ReadonlySet<string>;
  onJump: (step: 1 | -1) => void;
}) {
  const lines = useMemo(() => {
    const counts = (files ?? []).map(({ diff }) => countLines(diff));
    return {
      added: counts.reduce((sum, { added }) => sum + added, 0),
      removed: counts.reduce((sum, { removed }) => sum + removed, 0),
    };
  }, [files]);
  const reviewedCount = keys.filter((key) => reviewed.has(key)).length;
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 text-small">
      <SpanChoice span={span} />
      <span className="ml-auto flex flex-wrap items-center gap-x-3">
        {files && files.length > 0 && (
          <>
            <span className="numbers text-quiet">
              {words.changes.files({ amount: files.length })} <LineCountView lines={lines} />
            </span>
            <span role="status" className="numbers text-quiet">
              {words.changes.reviewed({ done: reviewedCount, total: keys.length })}
            </span>
            {reviewedCount < keys.length && (
              <Button kind="quiet" onClick={() => setReviewed(span.from, keys, true)}>
                {words.changes.keepAll}
              </Button>
            )}
          </>
        )}
        <ShownHow onJump={onJump} />
      </span>
    </div>
  );
}

/** Buttons that jump to the previous and next change, and one that shows both texts side by side. */
export function ShownHow({ onJump }: { onJump: (step: 1 | -1) => void }) {
  const beside = useBeside((state) => state.beside);
  return (
    <span className="flex items-center">
      <IconButton
        name={words.changes.previous}
        {...keysHint("previousChange", words.changes.previous)}
        onClick={() => onJump(-1)}
      >
        <ArrowUp size={15} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={words.changes.next}
        {...keysHint("nextChange", words.changes.next)}
        onClick={() => onJump(1)}
      >
        <ArrowDown size={15} aria-hidden="true" />
      </IconButton>
      <span className="ml-1 flex max-wide:hidden" role="group" aria-label={words.changes.shownAs}>
        <IconButton
          name={words.changes.inline}
          aria-pressed={!beside}
          className="aria-pressed:text-accent"
          onClick={() => chooseBeside(false)}
        >
          <Rows2 size={15} aria-hidden="true" />
        </IconButton>
        <IconButton
          name={words.changes.beside}
          aria-pressed={beside}
          className="aria-pressed:text-accent"
          onClick={() => chooseBeside(true)}
        >
          <Columns2 size={15} aria-hidden="true" />
        </IconButton>
      </span>
    </span>
  );
}
