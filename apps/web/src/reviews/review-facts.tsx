import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Release, Review } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import type { ReactNode } from "react";
import { readChanges } from "../api/projects.ts";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

/** Facts about the files that would be published: verdict, checks, changes. */
export function ReviewFacts({
  review,
  release,
}: {
  review: Review;
  release?: Release | undefined;
}) {
  // Only files that were seen to work are published, so without a recorded verdict they at least run.
  const { verdict = "runs", checks = [], revision, before, checkpoint } = review.subject;
  const failed = checks.filter(({ ok }) => !ok);
  return (
    <dl className="mt-2 grid gap-x-4 gap-y-1.5 text-small wide:grid-cols-[8rem_1fr]">
      <Fact name={words.reviews.verdict}>
        <span className="flex items-center gap-1.5">
          <VerdictMark state={verdict} />
          {words.verdict[verdict]}
          {revision !== undefined && (
            <span className="numbers text-quiet">
              {words.reviews.revision({ revision: revision.slice(0, 4) })}
            </span>
          )}
        </span>
      </Fact>
      <Fact name={words.reviews.checks}>
        {checks.length === 0
          ? words.reviews.noChecks
          : words.reviews.checksHeld({ held: checks.length - failed.length, all: checks.length })}
        {failed.map(({ name }) => (
          <p key={name} className="text-failed">
            {visible(name)}
          </p>
        ))}
      </Fact>
      <Fact name={words.reviews.findings}>
        <Findings release={release} />
      </Fact>
      <Fact name={words.reviews.difference}>
        {before !== undefined && checkpoint !== undefined ? (
          <Difference project={review.project} from={before} to={checkpoint} />
        ) : (
          words.reviews.firstTime
        )}
      </Fact>
    </dl>
  );
}

/** One named fact in a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Findings({ release }: { release: Release | undefined }) {
  const { findings = [], unchecked = [] } = release?.gate ?? {};
  if (!release?.gate) return words.publish.making;
  return (
    <ul className="space-y-0.5">
      {findings.length === 0 && <li>{words.reviews.noFindings}</li>}
      {findings.map(({ id, severity, title, titleCode, where }) => (
        <li key={id} className={severity === "serious" ? "text-failed" : ""}>
          {visibleProse(codedWords(title, titleCode))}{" "}
          <bdi className="font-mono text-quiet">{visible(where)}</bdi>
        </li>
      ))}
      {unchecked.map((text) => (
        <li key={text} className="text-quiet">
          {words.publish.notChecked} {visibleProse(text)}
        </li>
      ))}
    </ul>
  );
}

function Difference({ project, from, to }: { project: string; from: string; to: string }) {
  const { data } = useQuery({
    queryKey: ["review-difference", project, from, to],
    queryFn: ({ signal }) => readChanges(project, { from, to }, signal),
  });
  return (
    <>
      {data && words.reviews.files({ amount: data.length })}{" "}
      <Link
        to="/p/$project"
        params={{ project }}
        search={{ changes: `${from}..${to}` }}
        className="text-accent underline"
      >
        {words.reviews.showDifference}
      </Link>
    </>
  );
}
