import { isRunning } from "@treadle/protocol/fold";
import { useQuery } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useRef, type RefObject } from "react";
import { readChanges } from "../api/projects.ts";
import { lastTurnStart } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { lineMarks } from "./line-marks.ts";
import type { TextEditor } from "./text-editor.ts";
import { showTurnMarks } from "./turn-marks.ts";

/**
 * Marks in a file what is otherwise than before the last turn that changed anything.
 * @param saved the text that is shown is the file's: only then do its lines have the numbers of the difference
 */
export function useTurnMarks(
  editor: RefObject<TextEditor | undefined>,
  path: ProjectPath,
  saved: boolean,
): void {
  const project = useProjectId();
  const from = useView(lastTurnStart);
  const working = useView(isRunning);
  const checkpoints = useView((view) => view.checkpoints.length);
  const { data } = useQuery({
    // What the person types moves them along: it is asked again after a turn, or once the file is opened anew.
    queryKey: ["turn-changes", project, from, checkpoints],
    queryFn: ({ signal }) => readChanges(project, from ?? "", undefined, signal),
    enabled: saved && !working && from !== undefined,
  });
  const diff = data?.find((file) => file.path === path)?.diff;
  /** What is shown already: a save alone leaves the marks where typing moved them. */
  const shown = useRef<typeof data>(undefined);
  useEffect(() => {
    if (!saved || !data || shown.current === data) return;
    const view = editor.current?.view;
    if (!view) return;
    shown.current = data;
    showTurnMarks(view, lineMarks(diff ?? ""));
  }, [editor, saved, data, diff]);
}
