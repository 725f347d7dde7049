import type { Evidence, LogEvent } from "@treadle/protocol";
import type { ReactNode } from "react";
import { TurnView } from "../../src/conversation/turn-view.tsx";
import { EvidenceStrip } from "../../src/evidence/evidence-strip.tsx";
import { VerdictChip } from "../../src/evidence/verdict-chip.tsx";
import { evidenceOf, sampleRun } from "../../src/fold/log.test-support.ts";
import { useView } from "../../src/live/live-context.tsx";
import { ShowProject } from "./show-project.tsx";

const run = sampleRun();
/** The log of a run with a different end. */
const ended = (change: object): LogEvent[] =>
  run.map((event) => (event.type === "run-end" ? { ...event, ...change } : event));
const failed: LogEvent[] = [
  ...run.slice(0, -3),
  { type: "evidence", evidence: evidenceOf("r1-v2", "failed"), run: "r1" },
];

/** The app works, but not every requested item is shown by a check. */
const works: Evidence = {
  ...evidenceOf("r1-v2", "held"),
  ms: 12_000,
  checks: [
    { name: "Adds a task", state: "held", steps: [] },
    { name: "Exports", state: "held", steps: [], provesNothing: "already-held" },
  ],
  asked: [
    { what: "add tasks", check: "Adds a task" },
    { what: "export them as CSV", check: "Exports" },
    { what: "make the header blue", byEye: true },
  ],
  findings: [
    { code: "dead-control", subject: 'button "Help"', path: "/" },
    { code: "never-ran", subject: "exportCsv", place: "src/App.tsx:12" },
  ],
};
const runs: LogEvent[] = [
  ...run.slice(0, -3),
  { type: "evidence", evidence: works, run: "r1" },
  ...ended({ verdict: "runs", summary: "Runs: installed." }).slice(-2),
];

function Turns() {
  return useView((view) => view.turns).map((turn) => (
    <TurnView key={turn.message} turn={turn} last />
  ));
}

function Marks() {
  return (
    <div className="flex items-center gap-2">
      <EvidenceStrip />
      <VerdictChip />
    </div>
  );
}

const STATES: Record<string, LogEvent[]> = {
  "nothing yet": [],
  working: run.slice(0, 8),
  verified: run,
  runs,
  failed: [...failed, ...ended({ verdict: "failed", summary: "page failed" }).slice(-2)],
  "not verified": ended({ verdict: "unverified", summary: "Nothing to serve" }),
  stopped: ended({ outcome: "stopped", verdict: undefined, summary: "You stopped it." }),
  broken: ended({
    outcome: "error",
    verdict: undefined,
    summary: "",
    error: { code: "network", message: "The provider did not answer.", canContinue: true },
  }),
};

const shown = (events: LogEvent[], what: ReactNode) => () => (
  <ShowProject events={events}>{what}</ShowProject>
);

/** A project in its states: the marks in its header, and its turn. */
export const PROJECT_PARTS: Record<string, () => ReactNode> = Object.fromEntries(
  Object.entries(STATES).flatMap(([name, events]) => [
    [`marks: ${name}`, shown(events, <Marks />)] as const,
    ...(events.length > 0 ? [[`turn: ${name}`, shown(events, <Turns />)] as const] : []),
  ]),
);
