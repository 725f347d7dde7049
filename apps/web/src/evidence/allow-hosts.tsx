import { isRunning } from "@treadle/protocol/fold";
import type { WantedHost } from "@treadle/protocol";
import { allowHost } from "../api/project-settings.ts";
import { doOrAsk } from "../api/reviews.ts";
import { checkAgain } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { notice } from "../ui/notice.ts";
import { useAct } from "../ui/use-act.ts";
import { visible } from "@treadle/protocol/safe-text";
import { words } from "../words/words.ts";

/** Number of hosts offered one by one; the others are in the settings. */
const MAX_HOSTS = 3;

/** Up to `MAX_HOSTS` hosts that were requested and can be added to the project's list. */
export const offeredHosts = (requestedHosts: readonly WantedHost[] | undefined): string[] =>
  (requestedHosts ?? [])
    .filter(({ why }) => why === "not-allowed")
    .slice(0, MAX_HOSTS)
    .map(({ host }) => host);

/** Buttons that each allow a host that the app requested, or ask a second person to, and then check the app again. */
export function AllowHosts({
  requestedHosts,
}: {
  requestedHosts: readonly WantedHost[] | undefined;
}) {
  const project = useProjectId();
  const working = useView(isRunning);
  const { act, busy, problem } = useAct();
  return (
    <>
      {offeredHosts(requestedHosts).map((host) => (
        <Button
          key={host}
          className="max-w-full"
          disabled={busy || working}
          onClick={() =>
            void act(async () => {
              const done = await doOrAsk(() => allowHost(project, host), project, { kind: "host", host }); // prettier-ignore
              if (done) await checkAgain(project);
              else notice(words.reviews.sent);
            })
          }
        >
          <span className="truncate">{words.evidence.allow({ host: visible(host) })}</span>
        </Button>
      ))}
      {problem && (
        <span role="alert" className="basis-full text-small text-failed">
          {problem}
        </span>
      )}
    </>
  );
}
