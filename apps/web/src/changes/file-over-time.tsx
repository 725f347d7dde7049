import { useQuery } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { useMemo, useRef, useState } from "react";
import { ArrowLeft } from "../ui/icons.ts";
import { readChangedFile, readFileHistory, type FileMoment } from "../api/changes.ts";
import { sentence } from "../api/request.ts";
import { visibleName } from "../files/tree.ts";
import { historyLines } from "../fold/history-lines.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { showFileHistory } from "../project/changes-store.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { formatAgo } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { ShownHow } from "./changes-head.tsx";
import { OneDifference } from "./one-difference.tsx";
import { useChangeCommands } from "./use-change-commands.ts";

/** A point in time at which the file changed, with the request of that turn. */
interface Step extends Pick<FileMoment, "kind" | "before"> {
  at: number | undefined;
  /** Undefined: the current files, not in a checkpoint yet. */
  checkpoint: string | undefined;
  title: string;
}

const keyOf = ({ checkpoint }: Step): string => checkpoint ?? "now";

/** The history of one file: the checkpoints in which it changed, each with its diff. */
export function FileOverTime({ path }: { path: ProjectPath }) {
  const name = visibleName(path);
  const { steps, error, isPending, refetch } = useSteps(path);
  // Identified by checkpoint, because newer ones may appear above it.
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const jump = useChangeCommands(list);
  const now = useNow(30_000);
  const shown = steps?.find((step) => keyOf(step) === chosen) ?? steps?.[0];
  return (
    <div ref={list} className="flex h-full flex-col">
      <div className="flex min-h-9 shrink-0 items-center gap-2 border-b border-line px-2 text-small">
        <IconButton name={words.changes.backToAll} onClick={() => showFileHistory(undefined)}>
          <ArrowLeft size={15} aria-hidden="true" />
        </IconButton>
        <h2 className="min-w-0 truncate" title={name}>
          <span className="font-mono">{name}</span>{" "}
          <span className="text-quiet">{words.changes.overTime}</span>
        </h2>
        <span className="flex-1" />
        <ShownHow onJump={jump} />
      </div>
      {error && (
        <p role="alert" className="p-4 text-failed">
          {sentence(error)} <Button onClick={() => void refetch()}>{words.changes.tryAgain}</Button>
        </p>
      )}
      {isPending && <p className="p-4 text-quiet">{words.changes.comparing}</p>}
      {steps?.length === 0 && <p className="p-4 text-quiet">{words.changes.neverKept}</p>}
      {steps && shown && (
        <div className="flex min-h-0 flex-1 flex-col wide:flex-row">
          <ol
            aria-label={words.changes.moments({ name })}
            className="max-h-44 shrink-0 overflow-y-auto border-line py-1 max-wide:border-b wide:max-h-none wide:w-60 wide:border-r"
          >
            {steps.map((step) => (
              <li key={keyOf(step)}>
                <button
                  type="button"
                  aria-current={step === shown ? "step" : undefined}
                  onClick={() => setChosen(keyOf(step))}
                  className="block w-full px-3 py-1.5 text-left -outline-offset-2 hover:bg-hover aria-current:bg-hover aria-current:shadow-[inset_2px_0_var(--accent)] pointer-coarse:min-h-11"
                >
                  <span dir="auto" className="block truncate" title={step.title}>
                    {step.title}
                  </span>
                  <span className="numbers block truncate text-small text-quiet">
                    {words.changes.kinds[step.kind]}
                    {step.at !== undefined && ` · ${formatAgo(step.at, now)}`}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
            {shown.before === undefined ? (
              <p className="p-4 text-quiet">{words.changes.fromFirst}</p>
            ) : (
              <OneDifference
                key={`${shown.before} ${shown.checkpoint}`}
                path={path}
                span={{ from: shown.before, to: shown.checkpoint }}
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** The steps in which a file changed, the newest first, including changes since the last checkpoint. */
function useSteps(path: ProjectPath) {
  const project = useProjectId();
  const checkpoints = useView((view) => view.checkpoints);
  const turns = useView((view) => view.turns);
  const seq = useView((view) => view.changes.get(path)?.seq ?? 0);
  const changedAt = useView((view) => view.changes.get(path)?.kind);
  const query = useQuery({
    queryKey: ["file-history", project, path, checkpoints.length, seq],
    queryFn: ({ signal }) => readFileHistory(project, path, signal),
    placeholderData: (before) => before,
  });
  const { data } = query;
  const last = checkpoints.at(-1)?.checkpoint;
  const isOther = useQuery({
    queryKey: ["changed-file", project, path, last, undefined, seq],
    queryFn: ({ signal }) => readChangedFile(project, { from: last ?? "" }, path, signal),
    enabled: last !== undefined && changedAt !== undefined,
  }).data?.difference;
  const steps = useMemo(() => {
    const titles = new Map(
      historyLines({ checkpoints, turns }).map(({ checkpoint, title }) => [checkpoint, title]),
    );
    const steps = data?.map((moment): Step => ({
      ...moment,
      title: visible(titles.get(moment.checkpoint) ?? words.changes.byHand),
    }));
    if (steps && isOther && last !== undefined)
      steps.push({
        checkpoint: undefined,
        before: last,
        at: undefined,
        kind: isOther.kind,
        title: words.changes.sinceKept,
      });
    return steps?.toReversed();
  }, [data, checkpoints, turns, isOther, last]);
  return { ...query, steps };
}
