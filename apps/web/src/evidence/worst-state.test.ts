import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { isAnythingTried, worstState } from "./worst-state.ts";

const held = () => {
  const evidence = untriedEvidence("v1");
  for (const part of Object.values(evidence.parts)) part.state = "held";
  return evidence;
};

it("is the worst of all parts, whatever does not apply", () => {
  const evidence = held();
  evidence.parts.install.state = "inapplicable";
  expect(worstState(evidence)).toBe("held");
  evidence.parts.page.state = "going";
  expect(worstState(evidence)).toBe("going");
  evidence.parts.build.state = "failed";
  expect(worstState(evidence)).toBe("failed");
});

it("counts the project's own checks", () => {
  const checks = [{ name: "Adds", state: "untried" as const, steps: [] }];
  expect(worstState({ ...held(), checks })).toBe("untried");
});

it("is known only of what was looked at", () => {
  expect(isAnythingTried(untriedEvidence("v1"))).toBe(false);
  const evidence = untriedEvidence("v1");
  evidence.parts.page.state = "held";
  expect(isAnythingTried(evidence)).toBe(true);
  const checks = [{ name: "Adds", state: "going" as const, steps: [] }];
  expect(isAnythingTried({ ...untriedEvidence("v1"), checks })).toBe(true);
});
