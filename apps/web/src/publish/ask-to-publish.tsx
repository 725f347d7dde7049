import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ProjectReviews, Publication, Review } from "@treadle/protocol";
import { statusOf } from "@treadle/protocol/fold";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { useState } from "react";
import { publicationKey } from "../api/publication.ts";
import { askFor, endStanding, projectReviewsKey, withdraw } from "../api/reviews.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { useMay } from "../project/use-may.ts";
import { stateWords } from "../reviews/review-words.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";
import { NotSeen } from "./not-seen.tsx";

/** Asks a second person to publish the current files, and shows the state of the last request. */
export function AskToPublish({
  publication,
  reviews,
}: {
  publication: Publication | null;
  reviews: ProjectReviews;
}) {
  const project = useProjectId();
  const client = useQueryClient();
  const revision = useView((view) => view.revision);
  const status = useView(statusOf);
  const isSeen = status === "verified" || status === "runs";
  const [name, setName] = useState("");
  const [about, setAbout] = useState("");
  const { act, busy, problem } = useAct();
  const last = reviews.reviews.find(({ kind }) => kind === "publish");
  const isOpen = last?.state === "requested" || last?.state === "approved";
  const isAsked = isOpen && last.subject.revision === revision;
  const current = publication?.releases.find(({ number }) => number === publication.current);
  const isCurrent = current !== undefined && current.revision === revision;
  const refresh = () =>
    Promise.all(
      [projectReviewsKey(project), publicationKey(project)].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
  const send = () =>
    act(async () => {
      await saveEdits();
      await askFor(project, {
        kind: "publish",
        name: name.trim() || undefined,
        words: about.trim() || undefined,
      });
      setAbout("");
      await refresh();
    });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <p className="text-quiet">{words.reviews.askAbout}</p>
      {last && <Standing review={last} onWithdrawn={refresh} />}
      {!isAsked && !isCurrent && (
        <>
          {!publication?.current && (
            <Field
              label={words.publish.name}
              note={words.publish.nameNote}
              value={name}
              onText={setName}
              placeholder={words.publish.namePlaceholder}
            />
          )}
          <Field label={words.reviews.words} value={about} onText={setAbout} maxLength={2_000} />
          <Button type="submit" kind="primary" size="medium" disabled={busy || !isSeen}>
            {last ? words.reviews.askAgain : words.reviews.askToPublish}
          </Button>
          {!isSeen && <NotSeen status={status} />}
        </>
      )}
      {isCurrent && <p className="text-small text-quiet">{words.publish.stands}</p>}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}

/** The state of the last request, with its answer and a button to withdraw it. */
function Standing({ review, onWithdrawn }: { review: Review; onWithdrawn: () => unknown }) {
  const { act, busy, problem } = useAct();
  const { answer, failure, state, mayAnswer, isOwn } = review;
  return (
    <div className="rounded border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className={`flex-1 ${state === "refused" ? "text-failed" : ""}`}>
          {stateWords(review)}
        </p>
        {mayAnswer && (
          <Link to="/reviews" className="text-accent hover:underline">
            {words.reviews.answerIt}
          </Link>
        )}
        {isOwn && state === "requested" && (
          <Button
            disabled={busy}
            onClick={() =>
              void act(async () => {
                await withdraw(review);
                await onWithdrawn();
              })
            }
          >
            {words.reviews.withdraw}
          </Button>
        )}
      </div>
      {answer?.words && (
        <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
          {visibleProse(answer.words)}
        </p>
      )}
      {failure && (
        <p className="mt-1 break-words text-failed">
          {visibleProse(codedWords(failure.message, failure.messageCode))}
        </p>
      )}
      {problem && (
        <p role="alert" className="mt-1 text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

/**
 * The people who approved all future requests to publish, with a button for owners to end that. Draws nothing if there
 * are none.
 */
export function StandingApprovals({ reviews }: { reviews: ProjectReviews }) {
  const project = useProjectId();
  const client = useQueryClient();
  const mayEnd = useMay("project.review");
  const { act, busy } = useAct();
  const given = reviews.standing.filter(({ kind }) => kind === "publish");
  if (given.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-small text-quiet">
      <p>{given.map(({ by }) => words.reviews.standing({ name: visible(by.name) })).join(" ")}</p>
      {mayEnd && (
        <Button
          disabled={busy}
          onClick={() =>
            void act(async () => {
              await endStanding(project, "publish");
              await client.invalidateQueries({ queryKey: projectReviewsKey(project) });
            })
          }
        >
          {words.reviews.endStanding}
        </Button>
      )}
    </div>
  );
}
