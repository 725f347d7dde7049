import { VERDICTS, type Verdict } from "@treadle/protocol/evidence";
import { visible } from "@treadle/protocol/safe-text";
import type { Overview } from "../api/git-branches.ts";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import { formatDateTime } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** The newest commits with their verdicts, after those that the next push will create. */
export function CommitList({ overview: { pending, commits } }: { overview: Overview }) {
  return (
    <details>
      <summary className="cursor-pointer text-small text-quiet pointer-coarse:py-3">
        {words.git.commits}
      </summary>
      <ol className="mt-1 max-h-60 divide-y divide-line overflow-y-auto">
        {pending.map(({ subject, verdict, at }, index) => (
          <Row
            key={index}
            subject={subject || words.git.byHand}
            verdict={verdict}
            place={words.git.notCommitted}
            detail={at === undefined ? "" : formatDateTime(at)}
          />
        ))}
        {commits.map(({ id, subject, verdict, side, author, at }) => (
          <Row
            key={id}
            subject={subject}
            verdict={verdict}
            place={side === "both" ? "" : words.git.side[side]}
            detail={`${id.slice(0, 7)} · ${visible(author)} · ${formatDateTime(at)}`}
          />
        ))}
      </ol>
    </details>
  );
}

function Row({
  subject,
  verdict,
  place,
  detail,
}: {
  subject: string;
  verdict: string | undefined;
  place: string;
  detail: string;
}) {
  const known = VERDICTS.find((one): one is Verdict => one === verdict);
  return (
    <li className="flex items-start gap-2 py-1.5 text-small">
      <span
        className="flex h-[1.45em] w-4 shrink-0 items-center"
        title={known && words.git.verdictOf({ verdict: words.verdict[known] })}
      >
        {known && <VerdictMark state={known} />}
        {known && <span className="sr-only">{words.verdict[known]}</span>}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block break-words">
          {visible(subject)}
        </span>
        <span className="numbers block text-quiet">{detail}</span>
      </span>
      {place !== "" && <span className="shrink-0 text-quiet">{place}</span>}
    </li>
  );
}
