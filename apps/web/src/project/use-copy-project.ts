import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { forkProject } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { notice, noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";

/** Copies a project, from a checkpoint or its current state, opens the copy and lists what was not copied. */
export function useCopyProject(): (project: string, checkpoint?: string) => Promise<void> {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useCallback(
    async (project, checkpoint) => {
      try {
        const { id, name, without } = await forkProject(project, checkpoint);
        await client.invalidateQueries({ queryKey: ["projects"] });
        await navigate({ to: "/p/$project", params: { project: id } });
        const { hosts, secrets, approvals, data } = without;
        const notCopied = [
          ...(data ? [words.history.data] : []),
          ...hosts,
          ...secrets,
          ...(approvals ? [words.history.approvals] : []),
        ];
        notice(
          notCopied.length === 0
            ? words.history.copied({ name })
            : words.history.copiedWithout({ name, what: notCopied.join(", ") }),
          { duration: 10_000 },
        );
      } catch (error) {
        noticeError(sentence(error));
      }
    },
    [client, navigate],
  );
}
