import { expect, it } from "vitest";
import type { PullRequestFacts } from "../api/git-branches.ts";
import { pullRequestBody, pullRequestTitle } from "./pull-request-text.ts";

const facts: PullRequestFacts = {
  kind: "gitea",
  server: "https://git.example.com",
  isSignedIn: true,
  branch: "treadle/cart",
  isNew: true,
  base: "main",
  turns: [{ asked: "Add a cart\nwith a total", verdict: "runs" }],
  verdict: "runs",
  summary: "Runs: it works.",
  parts: [{ part: "build", state: "held", summary: "built | in 1.2 s" }],
  asked: [
    { what: "add tasks", check: "Adds a task" },
    { what: "export as CSV", why: "no-check" },
  ],
  models: ["anthropic:claude"],
  usage: { inputTokens: 9_000, cachedInputTokens: 0, outputTokens: 1_000, costUsd: 0.03 },
};

it("has a one-line title made from the request", () => {
  expect(pullRequestTitle(facts)).toBe("Add a cart with a total");
  const more = { ...facts, turns: [...facts.turns, { asked: "Make it blue" }] };
  expect(pullRequestTitle(more)).toBe("Add a cart with a total (and 1 more)");
  expect(pullRequestTitle({ ...facts, turns: [{ asked: "x".repeat(200) }] })).toHaveLength(72);
  expect(pullRequestTitle({ ...facts, turns: [] })).not.toBe("");
});

it("contains the request, the evidence, what was not tried, and the cost", () => {
  const body = pullRequestBody(facts);
  expect(body).toContain("- Add a cart\n  with a total\n");
  expect(body).toContain("built \\| in 1.2 s");
  expect(body).toMatch(/^- \[x\] add tasks \(.*Adds a task.*\)$/m);
  expect(body).toMatch(/^- \[ \] export as CSV \(.+\)$/m);
  expect(body).toContain("$0.03 · anthropic:claude");
});

it("claims nothing without a verdict", () => {
  const body = pullRequestBody({ ...facts, verdict: undefined, parts: [], asked: [], turns: [] });
  expect(body).not.toContain("Runs");
  expect(body).not.toContain("[x]");
});
