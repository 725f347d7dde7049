import { useQueryClient } from "@tanstack/react-query";
import { deleteWithUndo, projectKey, putProjectBack, type ProjectLists } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { notice, noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";

const NOTICE_MS = 10_000;

/** Deletes a project immediately, with an undo. */
export function useDeleteProject() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ["projects"] });
  const putBack = async (id: string) => {
    try {
      await putProjectBack(id);
    } catch (error) {
      noticeError(sentence(error));
    }
    await Promise.all([refresh(), client.invalidateQueries({ queryKey: projectKey(id) })]);
  };
  /** Removes a deleted project from the cached list at once; an inactive or pending query would show it again. */
  const leaveOut = async (id: string) => {
    await client.cancelQueries({ queryKey: ["projects"] });
    client.setQueryData<ProjectLists>(
      ["projects"],
      (lists) => lists && { ...lists, projects: lists.projects.filter((one) => one.id !== id) },
    );
  };
  return {
    putBack,
    /** Deletes a project and offers an undo. @returns whether it was deleted; shows an error notice if not */
    async remove({ id, name }: { id: string; name: string }): Promise<boolean> {
      try {
        await deleteWithUndo(id);
      } catch (error) {
        noticeError(sentence(error));
        return false;
      }
      await leaveOut(id);
      notice(words.home.wasDeleted({ name }), {
        duration: NOTICE_MS,
        action: { label: words.home.undo, onClick: () => void putBack(id) },
      });
      await refresh();
      return true;
    },
  };
}
