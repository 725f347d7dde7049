import type { Evidence, PageReport } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { clauses, sentence } from "@treadle/protocol/sentences";
import { expect, it } from "vitest";
import { clausesIn, failureOf } from "./failure.ts";

const thrown = {
  message: "TypeError: sales.map is not a function\n  at x",
  source: "chart.js:4:31",
};

function failing(parts: Partial<Evidence["parts"]>, pages: Partial<PageReport>[] = []): Evidence {
  const evidence = untriedEvidence("v1");
  return {
    ...evidence,
    parts: { ...evidence.parts, ...parts },
    pages: pages.map((page) => ({
      uncaughtErrors: [],
      consoleErrors: [],
      failedRequests: [],
      ...page,
    })) as unknown as PageReport[],
  };
}

it("is the error that a page threw, with its position, not the verdict's wording", () => {
  const { text, coded } = sentence("uncaught-on", { error: thrown.message.split("\n")[0]! });
  const evidence = failing({ console: { state: "failed", summary: text, summaryCode: coded! } }, [
    { consoleErrors: [{ message: "Error: another" }] },
    { uncaughtErrors: [thrown] },
  ]);
  expect(failureOf(evidence)).toEqual({
    error: "TypeError: sales.map is not a function",
    source: "chart.js:4:31",
  });
});

it("is the first error of a build, or else the verdict's own text", () => {
  const summary = "npm run build ended with 1";
  const detail = "src/App.tsx(2,9): error TS2322: Type 'string' is not 'number'.";
  expect(failureOf(failing({ build: { state: "failed", summary, detail } }))?.error).toBe(detail);
  expect(failureOf(failing({ build: { state: "failed", summary } }))?.error).toBe(summary);
});

it("is undefined for a revision that did not fail", () => {
  expect(failureOf(untriedEvidence("v1"))).toBeUndefined();
});

it("finds clauses of a sentence at any depth", () => {
  const inner = clauses(sentence("same-failure"), sentence("unchanged-turn"));
  expect(clausesIn(clauses(inner, "Tried: 1.").coded)).toEqual([
    { code: "same-failure" },
    { code: "unchanged-turn" },
    "Tried: 1.",
  ]);
});
