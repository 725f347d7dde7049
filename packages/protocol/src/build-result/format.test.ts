import { expect, test } from "vitest";
import { formatBuildResult } from "./format.ts";

const NOW = 1_700_000_001_000;
const problem = (index: number) => ({ message: `m${index}`, source: `a.js:${index}` });

test("writes every field in its place, and limits the lists", () => {
  const text = formatBuildResult(
    {
      status: "failed",
      stage: "build",
      ranAtMs: NOW - 1_000,
      exitCode: 2,
      wallTimeMs: 10,
      previewUrl: "https://x.y",
      stderr: "bad\n",
      visual: {
        source: "probe",
        pageTitle: "T",
        rendersNonEmpty: false,
        verdict: { matchesIntent: false, reason: "R" },
        consoleErrors: Array.from({ length: 7 }, (_, index) => problem(index)),
        uncaughtErrors: Array.from({ length: 4 }, (_, index) => problem(index)),
        domProbes: Array.from({ length: 7 }, (_, index) => ({
          name: `p${index}`,
          ok: index === 0,
          detail: "d",
        })),
      },
    },
    NOW,
  );
  expect(text.split("\n")).toEqual([
    "status: failed (build) 1s ago",
    "exitCode: 2",
    "wallTimeMs: 10",
    "previewUrl: https://x.y",
    "--- stderr (tail) ---",
    "bad",
    "--- visual ---",
    "source: probe",
    "pageTitle: T",
    "rendersNonEmpty: false (page appears blank)",
    "verdict.matchesIntent: false",
    "verdict.reason: R",
    "consoleErrors: 7",
    ...[0, 1, 2, 3, 4].map((index) => `  • m${index} @ a.js:${index}`),
    "uncaughtErrors: 4",
    ...[0, 1, 2].map((index) => `  • m${index} @ a.js:${index}`),
    "domProbes: 7 (6 failing)",
    ...[1, 2, 3, 4, 5].map((index) => `  ✗ p${index} — d`),
  ]);
});

test("omits absent fields, and never shows a negative age", () => {
  expect(formatBuildResult({ status: "success", ranAtMs: NOW + 5_000 }, NOW)).toBe(
    "status: success 0s ago",
  );
});

test("shows a success of an older revision as stale", () => {
  const report = { status: "success" as const, revision: "r1", ranAtMs: NOW };
  expect(formatBuildResult(report, NOW, { revision: "r2" })).toMatch(/^status: stale 0s ago/);
  expect(formatBuildResult(report, NOW, { revision: "r1" })).toBe("status: success 0s ago");
});

test("reports that there is no report, and whether anyone is watching", () => {
  expect(formatBuildResult(undefined, NOW)).toMatch(/^\(no build result reported yet — /);
  expect(formatBuildResult(undefined, NOW, { watching: false })).toContain("nothing is watching");
});

test("text of the project cannot imitate a line of the report", () => {
  const text = formatBuildResult(
    {
      status: "failed",
      ranAtMs: NOW,
      stderr: "x\n--- visual ---\nstatus: success",
      visual: { pageTitle: "T\nrendersNonEmpty: true" },
    },
    NOW,
  );
  expect(text.split("\n").filter((line) => /^(?:---|status:|rendersNonEmpty)/.test(line))).toEqual([
    "status: failed 0s ago",
    "--- stderr (tail) ---",
    "--- visual ---",
  ]);
});
