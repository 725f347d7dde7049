import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Comparison } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { useEffect } from "react";
import { readComparison } from "../api/comparisons.ts";
import { modelLabel, useModels } from "../api/queries.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { buttonClass, Button } from "../ui/button.tsx";
import { Lost } from "../ui/lost.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { SettingsPlace } from "../settings/settings-place.tsx";
import { CommandsButton } from "../palette/commands-button.tsx";
import { SettingsButton } from "../settings/settings-button.tsx";
import { words } from "../words/words.ts";
import { Attempt } from "./attempt.tsx";
import { EndComparison } from "./end-comparison.tsx";
import { isOpen, titlesOf } from "./attempts.ts";
import { useKeepAttempt } from "./use-keep-attempt.tsx";

const POLL_MS = 1_500;
/** Polling interval once all attempts have ended, because their projects may be deleted or continued elsewhere. */
const REST_MS = 10_000;

/** One request and its attempts, side by side. */
export function ComparePage() {
  const { comparison } = useParams({ from: "/compare/$comparison" });
  const { data, error, refetch } = useQuery({
    queryKey: ["comparison", comparison],
    queryFn: ({ signal }) => readComparison(comparison, signal),
    refetchInterval: ({ state }) => (state.data?.attempts.some(isOpen) ? POLL_MS : REST_MS),
  });
  useEffect(() => {
    document.title = `${words.compare.title} · Treadle`;
  }, []);
  if (error instanceof ApiFailure && error.status === 404)
    return <Lost title={words.compare.over}>{words.compare.overAbout}</Lost>;
  if (data) return <Comparing comparison={data} />;
  if (error)
    return (
      <Lost title={words.compare.cannotShow}>
        {sentence(error)} <Button onClick={() => void refetch()}>{words.workbench.tryAgain}</Button>
      </Lost>
    );
  return <p className="p-6 text-quiet">{words.workbench.opening}</p>;
}

function Comparing({ comparison }: { comparison: Comparison }) {
  const { data: models } = useModels();
  const { attempts, text, project } = comparison;
  const titles = titlesOf(attempts, (model) => modelLabel(models, model));
  const { chooseAttempt, busy, problem, dialog } = useKeepAttempt(comparison.id);
  const finished = attempts.filter((attempt) => !isOpen(attempt)).length;
  return (
    <div className="flex h-full flex-col">
      <SettingsPlace />
      <header className="flex min-h-12 shrink-0 items-center gap-1 border-b border-line px-2 wide:px-3">
        <Link
          to="/"
          aria-label={words.workbench.allProjects}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded hover:bg-hover"
        >
          <LoopMark />
        </Link>
        <h1 className="min-w-0 flex-1 truncate px-2 font-semibold">
          {words.compare.title}
          <span dir="auto" className="font-normal text-quiet">
            {" "}
            · {visible(text)}
          </span>
        </h1>
        {project !== undefined && (
          <Link to="/p/$project" params={{ project }} className={buttonClass("quiet")}>
            {words.compare.toProject}
          </Link>
        )}
        <EndComparison comparison={comparison} />
        <span className="contents max-wide:hidden">
          <CommandsButton />
          <SettingsButton />
        </span>
      </header>
      <main
        id="main"
        tabIndex={-1}
        aria-label={words.compare.title}
        className="flex min-h-0 flex-1 flex-col outline-none"
      >
        <p role="status" className="numbers px-4 pt-2 text-small text-quiet">
          {words.compare.progress({ done: finished, all: attempts.length })}
        </p>
        {problem && (
          <p role="alert" className="px-4 pt-1 text-small text-failed">
            {problem}
          </p>
        )}
        <ol
          tabIndex={0}
          aria-label={words.compare.attempts}
          className="grid min-h-0 flex-1 snap-x snap-mandatory auto-cols-[minmax(320px,1fr)] grid-flow-col gap-3 overflow-x-auto p-3 max-wide:auto-cols-[min(88vw,420px)]"
        >
          {attempts.map((attempt, index) => (
            <Attempt
              key={attempt.project ?? attempt.number}
              attempt={attempt}
              title={titles[index] ?? ""}
              since={comparison.createdAt}
              busy={busy}
              onKeep={() => chooseAttempt(attempt.number)}
            />
          ))}
        </ol>
      </main>
      {dialog}
    </div>
  );
}
