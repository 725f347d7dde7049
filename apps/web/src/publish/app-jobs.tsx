import { useQueryClient } from "@tanstack/react-query";
import type { AppJob } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { publicationKey, runAppJob } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { formatAgo, formatDateTime, shownOutput } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";

/** The published app's scheduled jobs: their times, last results, and a button to run each now. */
export function AppJobs({ jobs }: { jobs: readonly AppJob[] }) {
  const project = useProjectId();
  const client = useQueryClient();
  const now = useNow(10_000);
  const { act, busy, problem } = useAct();
  const run = (name: string) =>
    act(async () => client.setQueryData(publicationKey(project), await runAppJob(project, name)));
  return (
    <section aria-labelledby="app-jobs">
      <h3 id="app-jobs" className="font-semibold">
        {words.publish.jobs}
      </h3>
      <p className="text-small text-quiet">{words.publish.jobsAbout}</p>
      <ul className="mt-1 divide-y divide-line">
        {jobs.map(({ name, schedule, timeZone, next, last, running }) => (
          <li key={name} className="py-2" data-job={name}>
            <div className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate">{visible(name)}</span>
              <Button
                disabled={busy || running}
                aria-label={words.publish.runJobNamed({ name: visible(name) })}
                onClick={() => void run(name)}
              >
                {running ? words.publish.jobRuns : words.publish.runJob}
              </Button>
            </div>
            <p className="numbers text-small text-quiet">
              <span className="font-mono">{visible(schedule)}</span> {visible(timeZone)}
              {next !== undefined && ` · ${words.publish.nextRun({ when: formatDateTime(next) })}`}
              {last && (
                <>
                  {" · "}
                  <span className={last.state === "done" ? "" : "text-failed"}>
                    {words.publish.jobStates[last.state]}
                  </span>{" "}
                  {formatAgo(last.at, now)}
                </>
              )}
            </p>
            {last && last.output !== "" && (
              <details>
                <summary className="text-small text-accent hover:underline pointer-coarse:min-h-11">
                  {words.publish.output}
                </summary>
                <pre
                  dir="ltr"
                  className="mt-1 max-h-60 overflow-auto text-small whitespace-pre-wrap"
                >
                  {shownOutput(last.output)}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
