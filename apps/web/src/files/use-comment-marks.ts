import type { ProjectPath } from "@treadle/protocol";
import { followLine } from "@treadle/protocol/comments";
import { useEffect, type RefObject } from "react";
import { useView } from "../live/live-context.tsx";
import { showCommentMarks } from "./comment-marks.ts";
import type { TextEditor } from "./text-editor.ts";

/**
 * Marks the lines of a file that have open threads of comments.
 * @param saved whether the text is the saved one; until it is again, marks move along with edits
 */
export function useCommentMarks(
  editor: RefObject<TextEditor | undefined>,
  path: ProjectPath,
  saved: boolean,
): void {
  const threads = useView((view) => view.comments);
  const changedSeq = useView((view) => view.changes.get(path)?.seq ?? 0);
  useEffect(() => {
    const view = editor.current?.view;
    if (!saved || !view) return;
    const text = view.state.doc.toString();
    const lines = new Map<number, string>();
    for (const [id, { anchor, resolved }] of threads) {
      if (resolved || anchor.kind !== "line" || anchor.path !== path) continue;
      const line = followLine(anchor, text);
      if (line !== undefined && !lines.has(line)) lines.set(line, id);
    }
    showCommentMarks(view, lines);
  }, [editor, path, saved, threads, changedSeq]);
}
