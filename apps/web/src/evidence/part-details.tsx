import type { Evidence, EvidencePart, PageProblem, PageReport } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { AllowHosts, offeredHosts } from "./allow-hosts.tsx";
import { codedWords, wordsOf } from "../words/coded-words.ts";
import { shortRevision } from "../fold/select.ts";
import { containsError } from "./failure.ts";
import { Placed } from "./placed.tsx";
import { formatDuration, shownOutput, formatTimeOfDay } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** The evidence of one part, with its time and revision. */
export function PartDetails({
  part,
  evidence,
  brief = false,
}: {
  part: EvidencePart;
  evidence: Evidence;
  /** Omits time and revision, and includes the page's own data only if there is an error overlay. */
  brief?: boolean;
}) {
  const { summary, detail, at, ms } = evidence.parts[part];
  const report = evidence.pages.at(-1);
  // The page whose picture is shown, in one of the failed parts only.
  const pictured = evidence.pages.find(({ picture, rendered }) => picture && rendered);
  const shows = evidence.parts.page.state === "failed" ? "page" : "console";
  // In brief form an error is shown once: the page's problems repeat the summary and the raw text.
  const isListed = brief && part === "console" && report !== undefined && isQuoted(summary, report);
  const isBlank = brief && part === "page" && evidence.pages.some(({ rendered }) => !rendered);
  return (
    <>
      {!isListed && (
        <p className={brief ? "text-quiet" : "mt-1"}>
          <Placed>{visibleProse(summaryWords(part, evidence))}</Placed>
        </p>
      )}
      {part === "page" && report && (!brief || report.overlay !== undefined) && (
        <PageLook report={report} />
      )}
      {part === "console" && report && <ConsoleLook report={report} />}
      {detail !== undefined && detail !== "" && !isListed && !isBlank && (
        <pre
          className={`mt-2 overflow-auto ${brief ? "max-h-36" : "max-h-60"} rounded border border-line bg-paper p-2 font-mono text-small whitespace-pre-wrap`}
        >
          <Placed>{shownOutput(detail)}</Placed>
        </pre>
      )}
      {isOutputRelevant(part, evidence) && (
        <div className="mt-2">
          <p className="text-small text-quiet">{words.evidence.printed}</p>
          <pre
            className={`mt-1 overflow-auto ${brief ? "max-h-36" : "max-h-60"} rounded border border-line bg-paper p-2 font-mono text-small whitespace-pre-wrap`}
          >
            <Placed>{shownOutput(evidence.printed ?? "")}</Placed>
          </pre>
        </div>
      )}
      {part === shows && pictured?.picture && (
        <LookedPicture picture={pictured.picture} subject={pictured.path} />
      )}
      {!brief &&
        evidence.parts[part].state !== "going" &&
        needsAllowableHost(summary, evidence) && (
          <div className="mt-2 flex flex-wrap gap-2">
            <AllowHosts requestedHosts={evidence.wanted} />
          </div>
        )}
      <p className={`numbers mt-2 text-small text-quiet ${brief ? "hidden" : ""}`}>
        {at === undefined
          ? words.evidence.nothingYet
          : words.evidence.observed({ time: formatTimeOfDay(at) })}
        {ms !== undefined && words.evidence.took({ duration: formatDuration(ms) })}
        {evidence.revision !== "" && (
          <>
            {` · ${words.evidence.revision} `}
            <span className="font-mono">{shortRevision(evidence.revision)}</span>
          </>
        )}
      </p>
    </>
  );
}

/** The summary of a part. An uncaught error is described by the console part, if that failed as well. */
function summaryWords(part: EvidencePart, { parts }: Evidence): string {
  const { summary, summaryCode } = parts[part];
  const rest =
    part === "page" && parts.console.state === "failed" && summaryCode?.code === "with-error"
      ? summaryCode.values?.["what"]
      : undefined;
  const error = typeof rest === "object" && "code" in rest ? wordsOf(rest) : undefined;
  return error ?? codedWords(summary, summaryCode);
}

/** Whether the server's output may explain the failure of this part; it is shown with the first failed one. */
function isOutputRelevant(part: EvidencePart, { parts, printed = "" }: Evidence): boolean {
  const first = (["serve", "page", "console"] as const).find(
    (name) => parts[name].state === "failed",
  );
  return printed !== "" && part === first && !(parts[part].detail ?? "").includes(printed);
}

/** Whether this part failed because of a host that can be allowed. */
const needsAllowableHost = (summary: string, { wanted: requestedHosts }: Evidence) =>
  offeredHosts(requestedHosts).some((host) => summary.includes(host));

function PageLook({ report }: { report: PageReport }) {
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-small">
      <dt className="text-quiet">{words.evidence.address}</dt>
      <dd className="font-mono break-all">{visible(report.path)}</dd>
      <dt className="text-quiet">{words.evidence.answer}</dt>
      <dd className="numbers">{report.status === 0 ? words.evidence.noAnswer : report.status}</dd>
      {report.title !== "" && (
        <>
          <dt className="text-quiet">{words.evidence.title}</dt>
          <dd dir="auto">{visibleProse(report.title)}</dd>
        </>
      )}
      {report.overlay !== undefined && (
        <>
          <dt className="text-quiet">{words.evidence.overlay}</dt>
          <dd className="max-h-40 overflow-auto font-mono whitespace-pre-wrap text-failed">
            <Placed>{shownOutput(report.overlay)}</Placed>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Number of problems listed; the rest is counted. */
const MAX_PROBLEMS = 12;

type Problem = PageProblem & { kind: keyof typeof words.evidence.problems };

const problemsOf = (report: PageReport): Problem[] => [
  ...report.uncaughtErrors.map((one) => ({ ...one, kind: "uncaught" as const })),
  ...report.consoleErrors.map((one) => ({ ...one, kind: "console" as const })),
  ...report.failedRequests.map(({ method, url, status, reason }) => ({
    message: `${method} ${url}: ${reason ?? status}`,
    kind: "request" as const,
  })),
];

/** Whether the summary quotes one of the page's problems. */
const isQuoted = (summary: string, report: PageReport): boolean =>
  problemsOf(report).some(({ message }) =>
    containsError(summary, { error: message.trim().split("\n", 1)[0] ?? "" }),
  );

function ConsoleLook({ report }: { report: PageReport }) {
  const problems = problemsOf(report);
  if (problems.length === 0) return null;
  return (
    <ul className="mt-2 max-h-60 space-y-1.5 overflow-auto text-small">
      {problems.slice(0, MAX_PROBLEMS).map((one, index) => (
        <li key={index} className="border-l-2 border-failed pl-2">
          <span className="text-quiet">{words.evidence.problems[one.kind]}</span>{" "}
          <span className="font-mono break-words">{visibleProse(one.message)}</span>
          {one.source !== undefined && (
            <span className="block font-mono break-all text-quiet">
              <Placed>{visible(one.source)}</Placed>
            </span>
          )}
        </li>
      ))}
      {problems.length > MAX_PROBLEMS && (
        <li className="text-quiet">
          {words.evidence.andMore({ amount: problems.length - MAX_PROBLEMS })}
        </li>
      )}
    </ul>
  );
}
