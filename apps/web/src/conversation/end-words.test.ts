import { clauses, sentence } from "@treadle/protocol/sentences";
import { expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, sampleRun } from "../fold/log.test-support.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { describeEnd } from "./end-words.ts";

const turn = fold(emptyView(), logOf(...sampleRun())).turns[0] as Turn;
const endOf = (overrides: Partial<RunEnd>): RunEnd => ({ ...(turn.end as RunEnd), ...overrides });

const SEEN = "installed, built, served, page rendered, no errors";

it("says beside the verdict what the evidence marks do not show: checks, and unreachable hosts", () => {
  const end = endOf({ summary: `Verified: ${SEEN}.` });
  expect(describeEnd(turn, end, true)).toMatchObject({ title: "Verified", seen: [] });
  const { evidence } = turn.items.findLast((item) => item.kind === "look")!;
  const now = {
    ...evidence,
    wanted: [{ host: "api.example.com", why: "not-allowed" as const }],
    checks: [{ name: "Adds", state: "held" as const, steps: [] }],
  };
  const { seen } = describeEnd(turn, end, true, { now });
  expect(seen).toHaveLength(2);
  expect(seen![0]).toContain("api.example.com");
});

it("says beside the verdict what went wrong in the turn", () => {
  const look = turn.items.findLast((item) => item.kind === "look")!;
  const fault = sentence("failed-with", { command: "npm install", code: "1" });
  const now = {
    ...look.evidence,
    turn: [{ said: fault.text, saidCode: fault.coded!, takesAway: false }],
  };
  expect(describeEnd(turn, endOf({}), true, { now })).toMatchObject({
    title: "Runs",
    text: "In this turn npm install failed with 1.",
  });
  const { coded } = clauses(SEEN, sentence("unchanged-turn"));
  expect(describeEnd(turn, endOf({ summaryCode: coded! }), true)).toMatchObject({
    text: "Nothing was changed in this turn.",
  });
});

it("gives the reason if it does not hold", () => {
  const end = endOf({ verdict: "failed", summary: "Failed: npm install ended with 1." });
  expect(describeEnd(turn, end, true)).toEqual({
    title: "Failed",
    text: "npm install ended with 1.",
  });
});

it("says nothing about a turn that changed nothing and did not try to", () => {
  const answered = { ...turn, items: turn.items.filter(({ kind }) => kind !== "call") };
  const { text: summary, coded } = sentence("nothing-changed");
  const end = endOf({ verdict: undefined, summary, summaryCode: coded! });
  expect(describeEnd(answered, end, true)).toEqual({});
});

it("says that nothing changed if a file was written unchanged, whatever the model claims", () => {
  const end = endOf({
    verdict: undefined,
    summary: "Nothing was changed.",
    summaryCode: { code: "nothing-changed" },
    said: { done: "The heading is blue now." },
  });
  expect(describeEnd(turn, end, true)).toEqual({
    title: "Nothing was changed",
    modelWords: "The heading is blue now.",
  });
});

it("says before the model's own words that its attempts changed nothing", () => {
  const { text: summary, coded } = sentence("nothing-changed-but", {
    faults: [sentence("not-edited", { path: "src/App.tsx" })],
  });
  const end = endOf({
    verdict: undefined,
    summary,
    summaryCode: coded!,
    said: { done: "The heading is blue now." },
  });
  expect(describeEnd(turn, end, true)).toEqual({
    title: "Nothing was changed",
    text: "Did not edit src/App.tsx.",
    modelWords: "The heading is blue now.",
  });
});

it("says how a run was ended early", () => {
  const end = endOf({
    outcome: "stopped",
    verdict: undefined,
    summary: "Stopped. What was done is kept.",
  });
  expect(describeEnd(turn, end, true)).toEqual({
    title: "Stopped",
    text: "What was done is kept.",
  });
});

it("F8 speaks of Continue only where the button is", () => {
  const interrupted =
    "Treadle was stopped in the middle of this turn. What was finished until then is kept.";
  const summary = `${interrupted} Continue goes on from there.`;
  const end = endOf({ outcome: "interrupted", verdict: undefined, summary });
  expect(describeEnd(turn, end, true).text).toBe(summary);
  expect(describeEnd(turn, end, false).text).toBe(interrupted);
  const waited = "Treadle was stopped before this turn began.";
  const notBegun = endOf({ ...end, summary: `${waited} Continue starts it.` });
  expect(describeEnd(turn, notBegun, false).text).toBe(waited);
});

it("has the model's words beside what was seen, but not where it was seen not to hold", () => {
  const lastWords = { done: "There is a todo app.", try: "Add a task." };
  const summary = `Verified: ${SEEN}.`;
  const words = "There is a todo app.\n\nAdd a task.";
  expect(describeEnd(turn, endOf({ summary, said: lastWords }), true)).toMatchObject({
    seen: [],
    modelWords: words,
  });
  const failed = endOf({ verdict: "failed", summary: "Failed: it crashed.", said: lastWords });
  expect(describeEnd(turn, failed, true)).toEqual({ title: "Failed", text: "It crashed." });
  expect(
    describeEnd(turn, endOf({ verdict: undefined, summary: "", said: lastWords }), true),
  ).toEqual({
    modelWords: words,
  });
});
