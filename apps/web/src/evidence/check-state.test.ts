import type { CheckReport } from "@treadle/protocol";
import { expect, it } from "vitest";
import { checksState, checkState } from "./check-state.ts";

const check = (more: Partial<CheckReport> = {}): CheckReport => ({
  name: "Adds",
  state: "held",
  steps: [],
  ...more,
});

it("a check that passed and proves nothing does not look like one that passed", () => {
  const empty = check({ provesNothing: "already-held" });
  expect(checkState(empty)).toBe("uncounted");
  expect(checksState([empty])).toBe("uncounted");
  expect(checksState([empty, check()])).toBe("held");
});

it("a check that fails since somebody changed it leaves the verdict open and is no failure", () => {
  const changed = check({ state: "failed", was: { how: "changed", by: "outside" } });
  expect(checksState([changed, check()])).toBe("uncounted");
  expect(checksState([changed, check({ state: "failed" })])).toBe("failed");
});
