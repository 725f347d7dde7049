import { Link } from "@tanstack/react-router";
import { pictureOf, statusOf } from "@treadle/protocol/fold";
import { ExternalLink } from "../ui/icons.ts";
import { pictureAddress, stopRun } from "../api/projects.ts";
import { DoingLine } from "../conversation/doing-line.tsx";
import { VERDICT_COLOUR, VerdictMark } from "../evidence/verdict-mark.tsx";
import { useLiveState, useProjectId, useView } from "../live/live-context.tsx";
import { useProject } from "../project/use-project.ts";
import { buttonClass, Button } from "../ui/button.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { AttemptEvidence } from "./attempt-evidence.tsx";
import { AttemptFigures } from "./attempt-figures.tsx";
import { AttemptSteps } from "./attempt-steps.tsx";

/** A started attempt: its activity, evidence and cost, with its actions. */
export function LiveAttempt({
  heading,
  title,
  since,
  busy,
  onKeep,
}: {
  heading: string;
  title: string;
  since: number;
  busy: boolean;
  onKeep: () => void;
}) {
  const status = useView(statusOf);
  const { id, previewOrigin } = useProject();
  const up = useView((view) => view.server?.state === "up" || view.server?.asleep === true);
  const isDeleted = useLiveState(({ refused }) => refused?.status === 404);
  const { act, problem } = useAct();
  const working = status === "working" || status === "waiting";
  if (isDeleted) return <p className="p-4 text-quiet">{words.compare.deleted}</p>;
  return (
    <>
      <header className="flex items-center gap-2 border-b border-line px-3 py-2">
        <h2 id={heading} className="min-w-0 flex-1 truncate font-semibold">
          {title}
        </h2>
        <span
          role="status"
          data-verdict={status}
          className={`inline-flex shrink-0 items-center gap-1.5 text-small font-medium ${VERDICT_COLOUR[status]}`}
        >
          <VerdictMark state={status} />
          {words.verdict[status]}
        </span>
      </header>
      <div
        className="min-h-0 flex-1 overflow-y-auto"
        tabIndex={0}
        role="group"
        aria-labelledby={heading}
      >
        <AttemptPicture title={title} />
        <AttemptEvidence />
        <AttemptFigures since={since} />
        <AttemptSteps since={since} />
      </div>
      <DoingLine />
      {problem && (
        <p role="alert" className="px-3 py-1 text-small text-failed">
          {problem}
        </p>
      )}
      <footer className="flex flex-wrap items-center gap-1 border-t border-line p-2">
        {status === "waiting" ? (
          <Link
            to="/p/$project"
            params={{ project: id }}
            className={buttonClass("primary", "medium")}
          >
            {words.compare.answer}
          </Link>
        ) : working ? (
          <Button size="medium" onClick={() => void act(() => stopRun(id))}>
            {words.conversation.stop}
          </Button>
        ) : (
          <Button kind="primary" size="medium" disabled={busy} onClick={onKeep}>
            {words.compare.keep}
          </Button>
        )}
        <span className="flex-1" />
        {up && previewOrigin !== "" && (
          <a
            href={previewOrigin}
            target="_blank"
            rel="noreferrer"
            className={buttonClass("quiet", "medium")}
          >
            {words.compare.preview} <ExternalLink size={14} aria-hidden="true" />
          </a>
        )}
        <Link to="/p/$project" params={{ project: id }} className={buttonClass("quiet", "medium")}>
          {words.compare.open}
        </Link>
      </footer>
    </>
  );
}

/** The latest picture of the attempt's page. */
function AttemptPicture({ title }: { title: string }) {
  const project = useProjectId();
  const picture = useView((view) => pictureOf(view.evidence));
  return (
    <div className="flex aspect-8/5 items-center justify-center border-b border-line bg-paper text-line">
      {picture === undefined ? (
        <LoopMark size={28} />
      ) : (
        <a
          href={pictureAddress(project, picture)}
          target="_blank"
          rel="noreferrer"
          title={words.pictures.openWhole}
          className="block size-full -outline-offset-2"
        >
          <img
            src={pictureAddress(project, picture)}
            alt={words.pictures.lookOf({ what: title })}
            className="size-full object-cover object-top"
          />
        </a>
      )}
    </div>
  );
}
