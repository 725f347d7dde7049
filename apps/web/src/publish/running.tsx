import { useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { useState } from "react";
import { publicationKey, restartApp } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { formatAgo, formatNumber } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { AppErrors } from "./app-errors.tsx";
import { AppJobs } from "./app-jobs.tsx";
import { AppLog } from "./app-log.tsx";

/** The published app's jobs, errors and output. */
export function Running({ publication, onFix }: { publication: Publication; onFix: () => void }) {
  const { errors, releases, current } = publication;
  const apps = releases.filter(({ kind, state }) => kind === "app" && state !== "failed");
  const [chosen, setChosen] = useState<number>();
  const shown = apps.find((one) => one.number === (chosen ?? current)) ?? apps[0];
  const nothing = errors.length === 0 && current !== undefined;
  return (
    <>
      {current === undefined ? (
        <p className="text-quiet">{words.publish.notYet}</p>
      ) : (
        <Figures publication={publication} />
      )}
      {nothing && <p className="text-small text-quiet">{words.publish.noErrors}</p>}
      {errors.length > 0 && <AppErrors errors={errors} onDone={onFix} />}
      {publication.jobs.length > 0 && <AppJobs jobs={publication.jobs} />}
      {shown && (
        <AppLog
          key={shown.number}
          release={shown.number}
          releases={apps.map((one) => one.number)}
          onRelease={setChosen}
        />
      )}
    </>
  );
}

/** The app's use of each limited resource. */
function resourceUsage({ memory, processes, disk, limits }: NonNullable<Publication["usage"]>) {
  const inMegabytes = (bytes: number) => formatNumber(Math.ceil(bytes / (1024 * 1024)));
  const usages: [name: string, value: string][] = [];
  if (memory !== undefined)
    usages.push([
      words.publish.memory,
      words.publish.ofMegabytes({ used: inMegabytes(memory), most: inMegabytes(limits.memory) }),
    ]);
  if (processes !== undefined)
    usages.push([
      words.publish.processes,
      words.publish.ofAmount({
        used: formatNumber(processes),
        most: formatNumber(limits.processes),
      }),
    ]);
  if (disk !== undefined)
    usages.push([
      words.publish.disk,
      words.publish.ofMegabytes({ used: inMegabytes(disk), most: inMegabytes(limits.disk) }),
    ]);
  return usages;
}

function Figures({ publication: { app, upSince, usage, seen } }: { publication: Publication }) {
  const project = useProjectId();
  const client = useQueryClient();
  const now = useNow(10_000);
  const { act, busy, problem } = useAct();
  const restart = () =>
    act(async () => client.setQueryData(publicationKey(project), await restartApp(project)));
  const figures = [
    ...(upSince === undefined ? [] : [[words.publish.started, formatAgo(upSince, now)]]),
    [words.publish.requestsSeen, formatNumber(seen.requests)],
    [words.publish.errorsSeen, formatNumber(seen.errors)],
    ...(app ? [[words.publish.restarts, formatNumber(seen.restarts)]] : []),
    ...(usage ? resourceUsage(usage) : []),
  ] as const;
  return (
    <section aria-label={words.publish.figures}>
      <div className="flex items-center justify-between gap-2">
        <p>{app ? words.publish.apps[app] : words.publish.site}</p>
        {app && (
          <Button disabled={busy} onClick={() => void restart()}>
            {words.publish.restart}
          </Button>
        )}
      </div>
      <dl className="numbers mt-2 flex flex-wrap gap-x-6 gap-y-1">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-small text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="numbers mt-1 text-small text-quiet">
        {words.publish.countedSince({ when: formatAgo(seen.since, now) })}
      </p>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
