import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import type { Turn } from "../fold/types.ts";
import { quickReplies } from "./quick-replies.ts";

const turn = {
  items: [],
  end: { outcome: "done", verdict: "runs", revision: "r1" },
} as unknown as Turn;
const evidence = {
  ...untriedEvidence("r1"),
  asked: [
    { what: "add an expense", check: "adds" },
    { what: "delete an expense" },
    { what: "looks like paper", byEye: true as const },
  ],
  checks: [{ name: "adds", ok: true, ms: 1 }],
};

it("offers to try requested items that were not tried, except those that only a person can judge", () => {
  const replies = quickReplies(turn, evidence as never);
  expect(replies).toHaveLength(1);
  expect(replies[0]?.text).toContain("delete an expense");
  expect(replies[0]?.prove).toEqual(["delete an expense"]);
});

it("offers nothing based on another revision", () => {
  expect(quickReplies(turn, { ...evidence, revision: "r0" } as never)).toEqual([]);
});
