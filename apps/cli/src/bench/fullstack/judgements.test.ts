import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agreementOf, shareOf } from "./agreement.ts";
import { readJudgements } from "./read-judgements.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "treadle-judged-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, value: unknown) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(value));
}
const page = (run: string, text: string, reached: string) => {
  write(`results/task${run}/interact_messages.json`, [
    { role: "user", content: "YES or NO?" },
    { role: "assistant", content: text },
    { role: "user", content: "NO" },
  ]);
  write(`results/task${run}/db_interaction_result.json`, { judgement: reached });
};

it("reads the points of all three judges from their folder", () => {
  page("000001_0", "ANSWER; YES", "YES");
  page("000001_1", "PARTIAL", "YES");
  page("000001_2", "YES", "NO");
  page("000001_3", "NO", "YES");
  write("results_backend/000001_0/testing_result.json", { judgement: "YES" });
  write("results_backend/000001_0/db_interaction_result.json", { judgement: "YES" });
  write("results_backend/000001_1/testing_result.json", { judgement: "NO" });
  write("000001/db_grade_0.json", { answer: true });
  write("000001/db_grade_1.json", { answer: false });
  page("000009_0", "YES", "YES");
  expect(readJudgements(folder, ["000001", "000002"])).toEqual(
    new Map([
      [
        "000001",
        {
          frontend: { points: 2.5, reached: 1.5, of: 4 },
          backend: { points: 1, reached: 1, of: 2 },
          database: { points: 1, reached: 1, of: 2 },
        },
      ],
    ]),
  );
});

it("treats damaged or missing results as not judged", () => {
  mkdirSync(join(folder, "results", "task000001_0"), { recursive: true });
  write("results_backend/000001_0/testing_result.json", null);
  write("results/task000001_1/interact_messages.json", { role: "assistant" });
  expect(readJudgements(folder, ["000001"])).toEqual(new Map());
  expect(readJudgements(join(folder, "nowhere"), ["000001"])).toEqual(new Map());
});

it("gives each judge the same weight, and counts only what reached the database", () => {
  const judged = (points: number, reached: number, total: number) => ({
    points,
    reached,
    of: total,
  });
  expect(shareOf({ frontend: judged(4, 2, 4), database: judged(1, 1, 1) })).toBe(0.75);
  expect(shareOf({})).toBeNull();
});

it("reports in how many pairs of tasks judges and verdicts agree on the order", () => {
  const judgementOf = (reached: number) => ({ frontend: { points: reached, reached, of: 4 } });
  const judgements = new Map([
    ["a", judgementOf(4)],
    ["b", judgementOf(3)],
    ["c", judgementOf(3)],
    ["d", judgementOf(0)],
  ]);
  const results = [
    { id: "a", verdict: "verified" as const },
    { id: "b", verdict: "runs" as const },
    { id: "c", verdict: "verified" as const },
    { id: "d", verdict: "failed" as const },
    { id: "never judged", verdict: "verified" as const },
    { id: "no verdict", verdict: null },
  ];
  expect(agreementOf(results, judgements)).toEqual({
    tasks: 4,
    byVerdict: [
      { verdict: "verified", tasks: 2, share: 0.875 },
      { verdict: "runs", tasks: 1, share: 0.75 },
      { verdict: "failed", tasks: 1, share: 0 },
    ],
    // a over b, a over d, c over d, b over d; b and c are alike.
    sameOrder: 4.5 / 5,
  });
  expect(agreementOf([], judgements)).toMatchObject({ tasks: 0, sameOrder: null });
});
