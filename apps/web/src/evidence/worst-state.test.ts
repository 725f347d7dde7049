import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { worstState } from "./worst-state.ts";

const held = () => {
  const evidence = untriedEvidence("v1");
  for (const part of Object.values(evidence.parts)) part.state = "held";
  return evidence;
};

it("is the worst state of all parts that apply", () => {
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

it("is undefined until something is looked at", () => {
  const evidence = untriedEvidence("v1");
  expect(worstState(evidence)).toBeUndefined();
  const checks = [{ name: "Adds", state: "going" as const, steps: [] }];
  expect(worstState({ ...evidence, checks })).toBe("going");
  evidence.parts.page.state = "held";
  expect(worstState(evidence)).toBe("untried");
});
