import { useQueryClient } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import type { Hunk } from "@treadle/dialects/diff";
import { useState } from "react";
import { undoChange, type Span } from "../api/changes.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { visibleName } from "../files/tree.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { notice, noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { fetchChangedFile } from "./use-changed-file.ts";

/** How long an undo can be reverted with one click, in milliseconds. */
const UNDO_MS = 12_000;

/** Undoes all or some changes of a file. A notice offers to revert each undo. */
export function useUndoChange(span: Span, path: ProjectPath) {
  const project = useProjectId();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const name = visibleName(path);

  async function act(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const wasChanged = error instanceof ApiFailure && error.code === "conflict";
      noticeError(wasChanged ? words.changes.conflict({ name }) : sentence(error));
    } finally {
      setBusy(false);
      await Promise.all(
        ["changed-file", "file-history"].map((key) =>
          client.invalidateQueries({ queryKey: [key, project] }),
        ),
      );
    }
  }

  return {
    busy,
    /**
     * Undoes the given hunks, or without `hunks` the complete change of the file.
     * @param seen the version that the person saw; undefined if the file was not opened, in which case it is read now
     */
    undo: (hunks?: readonly Hunk[], seen?: string) =>
      act(async () => {
        // Unsaved text is a change like any other, so it is written to the disk before comparing.
        await saveEdits();
        const version = seen ?? (await fetchChangedFile(client, project, span, path)).now;
        const done = await undoChange(project, { ...span, path, version, hunks });
        notice(words.changes.undone({ name }), {
          duration: UNDO_MS,
          action: {
            label: words.changes.undo,
            onClick: () =>
              void act(() => undoChange(project, { path, from: done.kept, version: done.version })),
          },
        });
      }),
  };
}
