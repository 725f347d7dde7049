import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { undoChange } from "../api/changes.ts";
import { designKey, readDesign, writeDesign } from "../api/design.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { dropDraft, useDraft } from "../project/design-store.ts";
import { saveEdits } from "../project/unsaved.ts";
import { notice, noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { withDraft } from "./draft.ts";

/** The project's design tokens with the person's unsaved values; read again whenever files change. */
export function useDesign(isShown = true) {
  const project = useProjectId();
  const filesSeq = useView((view) => view.filesSeq);
  const draft = useDraft(project);
  const { data: saved, error } = useQuery({
    queryKey: [...designKey(project), filesSeq],
    queryFn: ({ signal }) => readDesign(project, signal),
    enabled: isShown,
    placeholderData: (before) => before,
  });
  const design = useMemo(() => saved && withDraft(saved, draft), [saved, draft]);
  return { project, saved, design, draft, error };
}

/** Writes the unsaved values, with one notice that can undo all of them. Rejects with the server's sentence. */
export function useSaveDesign() {
  const { project, draft } = useDesign();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: designKey(project) });
  return async () => {
    await saveEdits();
    const { before, written } = await writeDesign(project, draft);
    await refresh();
    dropDraft(project, draft);
    const undo = async () => {
      try {
        for (const { path, version } of written)
          await undoChange(project, { path, from: before, version });
        await refresh();
      } catch (failure) {
        noticeError(sentence(failure));
      }
    };
    notice(words.design.saved({ amount: draft.length }), {
      action: { label: words.design.undo, onClick: () => void undo() },
    });
  };
}
