import { useRef } from "react";
import { Button } from "../ui/button.tsx";
import { useLostFocus } from "../ui/use-lost-focus.ts";
import { words } from "../words/words.ts";
import { linesOf, type Replaced } from "./replace-in-files.ts";
import type { ActiveReplacement } from "./search-store.ts";

/** The progress of a replacement with a stop button, then its result with an undo button. */
export function ReplaceStatus({
  active,
  done,
  onUndo,
}: {
  active: ActiveReplacement | undefined;
  done: Replaced | undefined;
  onUndo: (done: Replaced) => void;
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
            {words.editor.filesDone({ done: active.done, total: active.total })}
          </span>
          <Button onClick={active.stop}>{words.editor.stop}</Button>
        </p>
      )}
      {done && !active && (
        <p role="status" className="flex items-center gap-2 px-3 pb-1 text-small">
          <span className="min-w-0 flex-1">
            {words.editor.replaced({ lines: linesOf(done), files: done.files.length })}
            {done.stopped > 0 && ` ${words.editor.stoppedBefore({ files: done.stopped })}`}
            {done.left.length > 0 &&
              ` ${words.editor.notReplaced({ files: done.left.join(", ") })}`}
          </span>
          {done.files.length > 0 && (
            <Button onClick={() => onUndo(done)}>{words.files.undo}</Button>
          )}
        </p>
      )}
    </div>
  );
}
