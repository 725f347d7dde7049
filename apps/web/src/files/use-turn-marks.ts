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
 * Marks in a file what has changed since before the last turn that changed anything.
 * @param saved whether the editor shows the file on the disk; only then do its line numbers match the diff
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
    // Edits move the marks along, so the diff is fetched again only after a turn or when the file is reopened.
    queryKey: ["turn-changes", project, from, checkpoints],
    queryFn: ({ signal }) => readChanges(project, from ?? "", undefined, signal),
    enabled: saved && !working && from !== undefined,
  });
  const diff = data?.find((file) => file.path === path)?.diff;
  /** The marks already shown. A save alone leaves them where editing moved them. */
  const shown = useRef<typeof data>(undefined);
  useEffect(() => {
    if (!saved || !data || shown.current === data) return;
    const view = editor.current?.view;
    if (!view) return;
    shown.current = data;
    showTurnMarks(view, lineMarks(diff ?? ""));
  }, [editor, saved, data, diff]);
}
