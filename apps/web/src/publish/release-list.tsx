import { releaseWords } from "./release-words.ts";
import { useQueryClient } from "@tanstack/react-query";
import type { Publication, Release } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { publicationKey, showRelease } from "../api/publication.ts";
import { sendMessage } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { formatAgo, formatClock } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { GateFindings } from "./gate-findings.tsx";

/**
 * The stored releases, the newest first: the current one, earlier ones to return to, those held back, and failed ones.
 * Draws nothing if there are none.
 */
export function ReleaseList({
  publication: { current, releases },
  onFix,
}: {
  publication: Publication;
  onFix: () => void;
}) {
  if (releases.length === 0) return null;
  return (
    <ol aria-label={words.publish.tabs.releases} className="-my-2 divide-y divide-line">
      {releases.map((release) => (
        <ReleaseRow
          key={release.number}
          release={release}
          isCurrent={release.number === current}
          onFix={onFix}
        />
      ))}
    </ol>
  );
}

function ReleaseRow({
  release,
  isCurrent,
  onFix,
}: {
  release: Release;
  isCurrent: boolean;
  onFix: () => void;
}) {
  const project = useProjectId();
  const client = useQueryClient();
  const now = useNow(60_000);
  const { act, busy, problem } = useAct();
  const { number, label, revision, at, state, output, ms, gate, review } = release;
  const message = releaseWords(release);
  const goBack = () =>
    act(async () =>
      client.setQueryData(publicationKey(project), await showRelease(project, number)),
    );
  const fix = () =>
    act(async () => {
      await sendMessage(project, { text: words.publish.askFix({ text: message ?? "" }) });
      onFix();
    });
  return (
    <li className="py-2" data-release={number} data-state={state}>
      <div className="flex items-center gap-2">
        <span className="numbers w-6 shrink-0 text-quiet">{number}</span>
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {visible(label)}
        </span>
        {isCurrent && <span className="text-small font-medium">{words.publish.current}</span>}
        {state === "ready" && !isCurrent && (
          <Button disabled={busy} onClick={() => void goBack()}>
            {words.publish.goBack}
          </Button>
        )}
        {state === "failed" && (
          <Button disabled={busy} onClick={() => void fix()}>
            {words.evidence.fix}
          </Button>
        )}
      </div>
      <p className="numbers pl-8 text-small text-quiet">
        {revision.slice(0, 4)} · {formatAgo(at, now)}
        {ms !== undefined && ` · ${words.publish.took({ time: formatClock(ms) })}`}
      </p>
      {state === "held" && review !== undefined && (
        <p className="pl-8 text-small text-quiet">{words.reviews.heldForReview}</p>
      )}
      {state === "failed" && message && (
        <p className="pl-8 text-small break-words text-failed">{visibleProse(message)}</p>
      )}
      {gate && state !== "failed" && <GateFindings release={release} gate={gate} onFix={onFix} />}
      {output && (
        <details className="pl-8">
          <summary className="text-small text-accent hover:underline pointer-coarse:min-h-11">
            {words.publish.output}
          </summary>
          <pre dir="ltr" className="mt-1 max-h-60 overflow-auto text-small whitespace-pre-wrap">
            {visibleProse(output)}
          </pre>
        </details>
      )}
      {problem && (
        <p role="alert" className="pl-8 text-small text-failed">
          {problem}
        </p>
      )}
    </li>
  );
}
