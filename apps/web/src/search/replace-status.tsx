import { useRef } from "react";
import { Button } from "../ui/button.tsx";
import { useLostFocus } from "../ui/use-lost-focus.ts";
import { words } from "../words/words.ts";
import { linesOf, type Replaced } from "./replace-in-files.ts";
import type { ActiveReplacement } from "./search-store.ts";

/** The progress of a replacement with a stop button, then its result with an undo button. */
export function ReplaceStatus({
  active,
  replacement,
  onUndo,
}: {
  active: ActiveReplacement | undefined;
  replacement: Replaced | undefined;
  onUndo: (replacement: Replaced) => void;
}) {
  const notice = useRef<HTMLDivElement>(null);
  // Stop and Undo disappear when pressed; the focus moves to the other button, or else to the field.
  useLostFocus(
    notice,
    () =>
      notice.current?.querySelector("button") ??
      notice.current?.parentElement?.querySelector("input"),
  );
  return (
    <div ref={notice}>
      {active && active.total > 1 && (
        <p className="numbers flex items-center gap-2 px-3 pb-1 text-small">
          <span className="min-w-0 flex-1">
            {words.editor.filesDone({ done: active.completed, total: active.total })}
          </span>
          <Button onClick={active.stop}>{words.editor.stop}</Button>
        </p>
      )}
      {replacement && !active && (
        <p role="status" className="flex items-center gap-2 px-3 pb-1 text-small">
          <span className="min-w-0 flex-1">
            {words.editor.replaced({
              lines: linesOf(replacement),
              files: replacement.files.length,
            })}
            {replacement.stopped > 0 &&
              ` ${words.editor.stoppedBefore({ files: replacement.stopped })}`}
            {replacement.skipped.length > 0 &&
              ` ${words.editor.notReplaced({ files: replacement.skipped.join(", ") })}`}
          </span>
          {replacement.files.length > 0 && (
            <Button onClick={() => onUndo(replacement)}>{words.files.undo}</Button>
          )}
        </p>
      )}
    </div>
  );
}
