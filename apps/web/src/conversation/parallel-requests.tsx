import { Link } from "@tanstack/react-router";
import type { ParallelRequest } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { evidenceOf, isRunning, statusOf } from "@treadle/protocol/fold";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { changeParallel, discardParallel, type ParallelAction } from "../api/parallel.ts";
import { Bead } from "../evidence/bead.tsx";
import { VERDICT_COLOUR, VerdictMark } from "../evidence/verdict-mark.tsx";
import { FollowProject, useProjectId, useView } from "../live/live-context.tsx";
import { Button, buttonClass, IconButton } from "../ui/button.tsx";
import { Square, X } from "../ui/icons.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { heldWords } from "./held-words.ts";

/** The parallel requests, if there are any: the activity of each, its evidence, and the person's choices. */
export function ParallelRequests() {
  const parallel = useView((view) => view.parallel);
  const working = useView(isRunning);
  if (parallel.size === 0) return null;
  return (
    <section aria-label={words.conversation.parallel.title} className="mb-2 text-small">
      <h3 className="text-quiet">{words.conversation.parallel.title}</h3>
      <ol className="mt-1 max-h-60 space-y-1 overflow-y-auto">
        {[...parallel.values()].map((request) => (
          <Request key={request.id} request={request} working={working} />
        ))}
      </ol>
    </section>
  );
}

function Request({ request, working }: { request: ParallelRequest; working: boolean }) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const { id, text, state, base, held } = request;
  // The copy of one that is merged is being removed.
  const copy = state === "merged" ? undefined : request.copy;
  const isActive = state === "waiting" || state === "making" || state === "going" || state === "merging"; // prettier-ignore
  const decide = (action: ParallelAction) => void act(() => changeParallel(project, id, action));
  const discard = () => void act(() => discardParallel(project, id));
  const named = { text: visible(text).slice(0, 80) };
  return (
    <li
      data-request={id}
      data-state={state}
      className="rounded border border-line bg-raised px-2 py-1"
    >
      <div className="flex items-center gap-2">
        <span dir="auto" className="min-w-0 flex-1 truncate" title={text}>
          {visible(text)}
        </span>
        {copy !== undefined && (
          <FollowProject key={copy} project={copy}>
            <CopyEvidence />
          </FollowProject>
        )}
        {isActive ? (
          <IconButton
            name={words.conversation.parallel.stopOf(named)}
            disabled={busy}
            onClick={() => decide("stop")}
          >
            <Square size={12} aria-hidden="true" fill="currentColor" />
          </IconButton>
        ) : (
          <IconButton
            name={words.conversation.parallel.discardOf(named)}
            disabled={busy}
            onClick={discard}
          >
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <p
          role="status"
          className={
            held ? "basis-full break-words text-failed" : "min-w-0 flex-1 break-words text-quiet"
          }
        >
          {held ? heldWords(held) : stateWords(request, working)}
        </p>
        {held && held.code !== "unfinished" && (
          <Button
            title={words.conversation.parallel.redoAbout}
            disabled={busy}
            onClick={() => decide("redo")}
          >
            {words.conversation.parallel.redo}
          </Button>
        )}
        {(state === "stopped" || state === "failed" || held?.code === "unfinished") && (
          <Button disabled={busy} onClick={() => decide("redo")}>
            {words.conversation.tryAgain}
          </Button>
        )}
        {held && (
          <Button
            kind="quiet"
            title={words.conversation.parallel.takeAbout}
            disabled={busy}
            onClick={() => decide("take")}
          >
            {words.conversation.parallel.take}
          </Button>
        )}
        {copy !== undefined && (
          <Link
            to="/p/$project"
            params={{ project: copy }}
            search={{ changes: held && `${base}..` }}
            className={buttonClass("quiet")}
          >
            {held ? words.conversation.changes : words.conversation.parallel.open}
          </Link>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </li>
  );
}

function stateWords({ state, problem }: ParallelRequest, working: boolean): string {
  const { states, mergesLater } = words.conversation.parallel;
  if (state === "merging" && working) return mergesLater;
  if (state === "failed" && problem !== undefined) return visibleProse(problem);
  return state === "held" ? "" : states[state];
}

/** The copy's verdict, and its evidence part by part. */
function CopyEvidence() {
  const status = useView(statusOf);
  const { parts } = useView(evidenceOf);
  return (
    <span className={`inline-flex shrink-0 items-center gap-2 ${VERDICT_COLOUR[status]}`}>
      <span
        role="img"
        aria-label={evidenceWords(parts)}
        className="inline-flex gap-0.5 max-wide:hidden"
      >
        {EVIDENCE_PARTS.map((part) => (
          <Bead key={part} state={parts[part].state} />
        ))}
      </span>
      <span data-verdict={status} className="inline-flex items-center gap-1">
        <VerdictMark state={status} />
        {words.verdict[status]}
      </span>
    </span>
  );
}

const evidenceWords = (parts: ReturnType<typeof evidenceOf>["parts"]) =>
  EVIDENCE_PARTS.map(
    (part) => `${words.evidence.parts[part]}: ${words.evidence.states[parts[part].state]}`,
  ).join(", ");
