import { isRunning } from "@treadle/protocol/fold";
import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useRef, type RefObject } from "react";
import { lastTurnStart } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { useChanges } from "../project/use-changes.ts";
import { lineMarks } from "./line-marks.ts";
import type { TextEditor } from "./text-editor.ts";
import { showTurnMarks } from "./turn-marks.ts";

/**
 * Marks in a file what has changed since before the last turn that changed anything.
 * @param saved whether the editor shows the file on the disk; only then do its line numbers match the diff
 */
export function useTurnMarks(
  editor: RefObject<TextEditor | undefined>,
  path: ProjectPath,
  saved: boolean,
): void {
  const from = useView(lastTurnStart);
  const working = useView(isRunning);
  const changedSeq = useView((view) => view.changes.get(path)?.seq ?? 0);
  const { data, isPlaceholderData } = useChanges(
    working || from === undefined ? undefined : { from },
  );
  // The line numbers of a diff with an older version do not match the text.
  const isCurrent = saved && !isPlaceholderData && data !== undefined && data.seq >= changedSeq;
  const diff = data?.files.find((file) => file.path === path)?.diff;
  /** The diff whose marks are shown. Edits move the marks along until the saved text has been compared. */
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const view = editor.current?.view;
    if (!isCurrent || !view || shown.current === diff) return;
    shown.current = diff;
    showTurnMarks(view, lineMarks(diff ?? ""));
  }, [editor, isCurrent, diff]);
}
