import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Review } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useId, useState } from "react";
import { publicationKey, readPublication } from "../api/publication.ts";
import { approve, OPEN_REVIEWS_KEY, refuse, tryReview, withdraw } from "../api/reviews.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatAgo } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { PackageFacts } from "./package-facts.tsx";
import { ReviewFacts } from "./review-facts.tsx";
import { askedWords, stateWords } from "./review-words.ts";

/** How often the release that a request waits for is read, in milliseconds. */
const POLL_MS = 1_000;

/** One request: its subject, and the answers that the person may give. */
export function ReviewCard({ review }: { review: Review }) {
  const id = useId();
  const now = useNow(60_000);
  const isPublish = review.kind === "publish";
  const { data: publication } = useQuery({
    queryKey: publicationKey(review.project),
    queryFn: ({ signal }) => readPublication(review.project, signal),
    enabled: isPublish,
    refetchInterval: POLL_MS,
  });
  const release = publication?.releases.find((one) => one.review === review.id);
  const isReady = !isPublish || release?.state === "held";
  return (
    <article aria-labelledby={id} className="rounded border border-line p-3">
      <h3 id={id} dir="auto" className="font-medium break-words">
        {askedWords(review)}
      </h3>
      <p className="text-small text-quiet">
        {[stateWords(review), formatAgo(review.at, now)].join(" · ")}{" "}
        <Link
          to="/p/$project"
          params={{ project: review.project }}
          className="text-accent underline"
        >
          {words.reviews.openProject}
        </Link>
      </p>
      {review.words && (
        <p dir="auto" className="mt-1.5 break-words whitespace-pre-wrap">
          {visibleProse(review.words)}
        </p>
      )}
      {isPublish && <ReviewFacts review={review} release={release} />}
      {review.subject.package && <PackageFacts package={review.subject.package} />}
      {isPublish && !isReady && (
        <p role="status" className="mt-2 text-small text-quiet">
          {words.reviews.preparing}
        </p>
      )}
      {review.mayAnswer && isPublish && isReady && <TryIt review={review} />}
      {review.mayAnswer && <Answers review={review} isReady={isReady} />}
      {review.isOwn && review.state === "requested" && <Withdraw review={review} />}
    </article>
  );
}

function TryIt({ review }: { review: Review }) {
  const { act, busy, problem } = useAct();
  const [address, setAddress] = useState<string>();
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-small">
      {address === undefined ? (
        <Button
          disabled={busy}
          onClick={() => void act(async () => setAddress((await tryReview(review)).address))}
        >
          {busy ? words.reviews.trying : words.reviews.try}
        </Button>
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          {words.reviews.openCopy}
        </a>
      )}
      <span className="text-quiet">{words.reviews.tryAbout}</span>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

function Answers({ review, isReady }: { review: Review; isReady: boolean }) {
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [why, setWhy] = useState<string>();
  const answer = (work: () => Promise<unknown>) =>
    void act(async () => {
      await work();
      await client.invalidateQueries({ queryKey: OPEN_REVIEWS_KEY });
    });
  if (why !== undefined)
    return (
      <form
        className="mt-3 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          answer(() => refuse(review, why));
        }}
      >
        <Field label={words.reviews.why} value={why} onText={setWhy} maxLength={2_000} autoFocus />
        <Button type="submit" kind="danger" size="medium" disabled={busy}>
          {words.reviews.refuse}
        </Button>
        {problem && <Problem>{problem}</Problem>}
      </form>
    );
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button
        kind="primary"
        disabled={busy || !isReady}
        onClick={() => answer(() => approve(review, false))}
      >
        {words.reviews.approve}
      </Button>
      <Button
        disabled={busy || !isReady}
        title={words.reviews.alwaysAbout}
        onClick={() => answer(() => approve(review, true))}
      >
        {words.reviews.always}
      </Button>
      <Button disabled={busy} onClick={() => setWhy("")}>
        {words.reviews.refuse}
      </Button>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

/** Withdraws the person's own request. */
export function Withdraw({ review }: { review: Review }) {
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button
        disabled={busy}
        onClick={() =>
          void act(async () => {
            await withdraw(review);
            await client.invalidateQueries({ queryKey: OPEN_REVIEWS_KEY });
          })
        }
      >
        {words.reviews.withdraw}
      </Button>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

function Problem({ children }: { children: string }) {
  return (
    <p role="alert" className="basis-full text-small text-failed">
      {children}
    </p>
  );
}
