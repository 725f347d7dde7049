import type { LogEvent } from "@treadle/protocol";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { agreeAsked, judge, untriedEvidence } from "@treadle/protocol/evidence";
import type { Evidence, Verdict } from "@treadle/protocol/evidence";
import { clauses, sentence, type Sentence } from "@treadle/protocol/sentences";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, sampleRun } from "../fold/log.test-support.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { FollowProject } from "../live/live-context.tsx";
import { drawnLog } from "./drawn-log.test-support.tsx";
import { EndCard } from "./end-card.tsx";

const turn = fold(emptyView(), logOf(...sampleRun())).turns[0] as Turn;

/** The markup of the card for a turn that failed with these faults, with the server's own summary. */
function drawn(faults: NonNullable<Evidence["turn"]>): string {
  const evidence = { ...untriedEvidence((turn.end as RunEnd).revision), turn: faults };
  for (const part of Object.values(evidence.parts)) part.state = "held";
  const { verdict, reason, reasonCode } = judge(evidence);
  const word = verdict === "verified" ? "Verified" : "Not verified";
  const end = { ...(turn.end as RunEnd), verdict, summary: `${word}: ${reason}.` };
  return drawnEnd({ ...end, summaryCode: reasonCode });
}

const drawnEnd = (end: RunEnd) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <FollowProject project="p">
        <EndCard turn={turn} end={end} last />
      </FollowProject>
    </QueryClientProvider>,
  );

/** The markup of the card for a turn that works, with this evidence. */
function drawnKnown(evidence: Evidence, last = true): string {
  const look: LogEvent[] = [{ type: "evidence", evidence, run: "r1" }];
  const run = sampleRun().slice(0, -3);
  const end = { ...sampleRun().at(-2), verdict: "runs", summary: "Runs: installed." } as LogEvent;
  return drawnLog([...run, ...look, end], last);
}

const PICTURE = { hash: "a".repeat(64), mediaType: "image/png" };
const EARLIER = { hash: "b".repeat(64), mediaType: "image/png" };
function toBeSeen(): Evidence {
  const evidence = untriedEvidence((turn.end as RunEnd).revision);
  for (const part of Object.values(evidence.parts)) part.state = "held";
  const page = { source: "headless", path: "/", picture: PICTURE, pictureBefore: EARLIER };
  return {
    ...evidence,
    ms: 12_000,
    pages: [page as Evidence["pages"][number]],
    checks: [{ name: "Adds", state: "held", steps: [] }],
    asked: [
      { what: "add tasks", check: "Adds" },
      { what: "a blue header", byEye: true },
    ],
  };
}

it("shows the page before and after for items that only a person can judge, and accepts the user's confirmation", () => {
  const card = drawnKnown(toBeSeen());
  expect(card).toContain('data-verdict="runs"');
  expect(card).toContain(`/${EARLIER.hash}`);
  expect(card).toContain(`/${PICTURE.hash}`);
  expect(card).toContain(">It is as I wanted</button>");
  // Earlier turns show the answers as they were given.
  expect(drawnKnown(toBeSeen(), false)).not.toContain("It is as I wanted");
});

it("shows for each requested item which check shows it, and how long looking took", () => {
  const card = drawnKnown(toBeSeen());
  expect(card).toMatch(/>add tasks<.*check “Adds”/);
  expect(card).toContain("12 s");
});

it("is verified once the user has confirmed what only a person can judge", () => {
  const card = drawnKnown(agreeAsked(toBeSeen(), "a blue header")!);
  expect(card).toContain('data-verdict="verified"');
  expect(card).not.toContain("It is as I wanted");
});

const CRASHED = { said: "node crash.js failed with 1", takesAway: false };
const REFUSED = { said: 'The path "/etc/motd" is refused: it is absolute', takesAway: false };
const CUT = {
  said: "notes.txt was cut off while it was written, and never written again",
  takesAway: true,
};

it("shows crashes of the turn and refused requests beside Verified", () => {
  const card = drawn([CRASHED, REFUSED]);
  expect(card).toContain('data-verdict="runs"');
  expect(card).toContain("node crash.js failed with 1");
  expect(card).toContain("/etc/motd");
});

it("is not verified if a write was cut off and not repeated, and says which", () => {
  const card = drawn([CRASHED, CUT]);
  expect(card).toContain('data-verdict="unverified"');
  expect(card).toContain("otes.txt was cut off while it was written, and never written again.");
});

it("offers another model or key if that helps, instead of trying the same again", () => {
  const error = { code: "key-wrong" as const, message: "Not accepted.", canContinue: true };
  const end = { ...(turn.end as RunEnd), outcome: "error" as const, error };
  const card = drawnEnd(end);
  expect(card).toMatch(/data-main="true"[^>]*>Change the model or its key</);
  expect(card).not.toMatch(/data-main="true"[^>]*>Continue</);
  expect(card).toMatch(/>Continue</);
});

it("shows the output of a failed build first, not only its exit code", () => {
  const evidence = untriedEvidence((turn.end as RunEnd).revision);
  const detail = "> tsc --noEmit\n\nsrc/App.tsx(2,9): error TS2322: Type 'string' is not 'number'.";
  evidence.parts.build = { state: "failed", summary: "npm run build ended with 1", detail };
  const { reason } = judge(evidence);
  const end = {
    ...(turn.end as RunEnd),
    verdict: "failed" as const,
    summary: `Failed: ${reason}.`,
  };
  const card = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <FollowProject project="p">
        <EndCard turn={{ ...turn, items: [{ kind: "look", evidence }] }} end={end} last />
      </FollowProject>
    </QueryClientProvider>,
  );
  const messageAt = card.indexOf("error TS2322");
  expect(messageAt).toBeGreaterThan(0);
  expect(card.indexOf("npm run build ended with 1")).toBeGreaterThan(messageAt);
});

/** The markup of the card for a turn whose files were looked at again later. */
function drawnSince(seen: Evidence, later: Evidence, verdict: Verdict = "unverified"): string {
  const run = sampleRun().slice(0, -3);
  const end = {
    ...sampleRun().at(-2),
    verdict,
    summary: `Not verified: ${judge(seen).reason}.`,
  } as LogEvent;
  return drawnLog([
    ...run,
    { type: "evidence", evidence: seen, run: "r1" },
    end,
    { type: "look-start" } as LogEvent,
    { type: "evidence", evidence: later },
    { type: "look-end" } as LogEvent,
  ]);
}

/** Evidence in which everything holds except that the page needs a host that was not reachable. */
function withoutHost(host: string): Evidence {
  const { asked: _asked, ...evidence } = toBeSeen();
  evidence.parts.page = {
    state: "untried",
    summary: `wanted ${host}, which this project may not reach`,
  };
  return evidence;
}

it("shows what a later look saw of the turn's files, and no longer why it was not verified", () => {
  const { asked: _asked, ...held } = toBeSeen();
  expect(drawnSince(withoutHost("api.example.com"), held)).toContain('data-verdict="verified"');
  const card = drawnSince(withoutHost("api.example.com"), withoutHost("fonts.example.com"));
  expect(card).toContain('data-verdict="unverified"');
  expect(card).toContain("fonts.example.com");
  expect(card).not.toContain("api.example.com");
});

it("no longer mentions a host that was allowed since, if the files worked without it", () => {
  const { asked: _asked, ...held } = toBeSeen();
  const without: Evidence = {
    ...held,
    wanted: [{ host: "api.example.com", why: "not-allowed" }],
  };
  expect(judge(without).reason).toContain("api.example.com");
  expect(drawnSince(without, without, "verified")).toContain("api.example.com");
  expect(drawnSince(without, held, "verified")).not.toContain("api.example.com");
});

it("is verified once the user has approved the current checks", () => {
  const { asked: _asked, ...held } = toBeSeen();
  const changed = {
    ...held.checks![0]!,
    state: "failed" as const,
    was: { how: "changed", by: "model" } as const,
  };
  const open = { ...held, checks: [changed] };
  const run = sampleRun().slice(0, -3);
  const end = { ...sampleRun().at(-2), verdict: "unverified", summary: `Not verified: ${judge(open).reason}.` } as LogEvent; // prettier-ignore
  const agreed: LogEvent[] = [...run, { type: "evidence", evidence: open, run: "r1" }, end, { type: "evidence", evidence: held }]; // prettier-ignore
  expect(drawnLog(agreed)).toContain('data-verdict="verified"');
  expect(drawnLog(agreed.slice(0, -1))).toContain('data-verdict="unverified"');
});

it("shows the thrown error first, once, and beside it only additional information", () => {
  const message = "TypeError: sales.map is not a function";
  const evidence = untriedEvidence((turn.end as RunEnd).revision);
  evidence.parts.page = { state: "failed", ...summaryOf(sentence("with-error", { error: message, what: sentence("blank", { path: "/" }) })) }; // prettier-ignore
  evidence.parts.console = { state: "failed", ...summaryOf(sentence("uncaught-on", { error: message })) }; // prettier-ignore
  const page = { rendered: false, uncaughtErrors: [{ message, source: "chart.js:4:31" }], consoleErrors: [], failedRequests: [] }; // prettier-ignore
  const looked = { ...evidence, pages: [page as unknown as Evidence["pages"][number]] };
  const { reason, reasonCode } = judge(looked);
  const why = clauses({ text: reason, coded: reasonCode! }, sentence("same-failure"));
  const end = { ...sampleRun().at(-2), verdict: "failed", summary: `Failed: ${why.text}.`, summaryCode: why.coded } as LogEvent; // prettier-ignore
  const look: LogEvent = { type: "evidence", evidence: looked, run: "r1" };
  const card = drawnLog([...sampleRun().slice(0, -3), look, end]);
  expect(card.split(message)).toHaveLength(2);
  expect(card).toContain("chart.js:4:31");
  expect(card).toContain("The page / is blank.");
  expect(card).toContain("he same failure came back");
});

const summaryOf = ({ text: summary, coded }: Sentence) => ({ summary, summaryCode: coded }); // prettier-ignore
