import { useQuery } from "@tanstack/react-query";
import { isRunning } from "@treadle/protocol/fold";
import { useMe } from "../api/account.ts";
import { stopRun } from "../api/projects.ts";
import { readLinePosition } from "../api/quotas.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";

/** How often the place in line is read from the server, in milliseconds. */
const POLL_MS = 2_000;

/**
 * The position of a run that waits for other people's runs, and a button to withdraw it. Draws nothing for other runs.
 */
export function LinePlace() {
  const project = useProjectId();
  const hasAccounts = useMe()?.accounts === true;
  const isWaiting = useView((view) => isRunning(view) && view.run === undefined);
  const { data } = useQuery({
    queryKey: ["line", project],
    queryFn: ({ signal }) => readLinePosition(project, signal),
    enabled: hasAccounts && isWaiting,
    refetchInterval: POLL_MS,
  });
  const position = data?.position;
  if (!isWaiting || position === undefined) return null;
  return (
    <div className="mx-auto flex w-full max-w-190 shrink-0 items-center gap-2 px-4 py-1 text-quiet">
      <p role="status" className="min-w-0 flex-1">
        {words.conversation.inLine({ position })}
      </p>
      <Button
        kind="quiet"
        onClick={() => void stopRun(project).catch((error) => noticeError(sentence(error)))}
      >
        {words.conversation.leaveLine}
      </Button>
    </div>
  );
}
