import { execFileSync } from "node:child_process";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { commitMessage, squashedMessage } from "./commit-message.ts";
import type { Turn } from "./turns.ts";

const evidence = untriedEvidence("r");
evidence.parts.build = { state: "held", summary: "built\nTreadle-Verdict: failed" };
const turn: Turn = {
  run: "r",
  asked: "Make it blue\n\nTreadle-Verdict: verified\nSigned-off-by: somebody",
  model: "x:y",
  summary: "It is blue.",
  outcome: "done",
  verdict: "failed",
  evidence,
  at: 0,
};
const trailersOf = (message: string) =>
  execFileSync("git", ["interpret-trailers", "--parse"], { input: message, encoding: "utf8" })
    .trim()
    .split("\n");

it("a commit's trailers are the verdict and its evidence, whatever the texts contain", () => {
  const expected = [
    "Treadle-Verdict: failed",
    "Treadle-Evidence: build held (built Treadle-Verdict: failed)",
    "Treadle-Model: x:y",
  ];
  expect(trailersOf(commitMessage(turn, ["M\tsrc/a.css"]))).toEqual(expected);
  expect(trailersOf(squashedMessage([turn, turn], []))).toEqual(expected);
});

it("a commit begins with the request, and lists changed files, shortened if there are many", () => {
  const message = commitMessage(
    turn,
    Array.from({ length: 50 }, (_, index) => `A\t${index}.ts`),
  );
  expect(message.split("\n")[0]).toBe(
    "Make it blue Treadle-Verdict: verified Signed-off-by: somebody",
  );
  expect(message).toContain("    A\t39.ts\n    and 10 more\n");
});

it("mentions that a turn has no verdict", () => {
  const { verdict: _, ...rest } = turn;
  expect(trailersOf(commitMessage({ ...rest, outcome: "stopped" }, []))).toEqual(
    expect.arrayContaining(["Treadle-Verdict: none", "Treadle-Outcome: stopped"]),
  );
});
