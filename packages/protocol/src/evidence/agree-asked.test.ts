import { expect, it } from "vitest";
import { agreeAsked, withoutAgreement } from "./agree-asked.ts";
import { judge, unprovenItems, untriedEvidence } from "./judge.ts";
import { EVIDENCE_PARTS, type AskedItem, type Evidence } from "./types.ts";

function runningApp(asked: AskedItem[]): Evidence {
  const evidence = untriedEvidence("r1");
  for (const part of EVIDENCE_PARTS) evidence.parts[part] = { state: "held", summary: part };
  return { ...evidence, asked, checks: [{ name: "Adds", state: "held", steps: [] }] };
}
const adds = { what: "add tasks", check: "Adds" };
const blue = { what: "a blue header", byEye: true as const };

it("is verified once the person confirms all items that only a person can judge", () => {
  const seen = runningApp([adds, blue]);
  expect(judge(seen).verdict).toBe("runs");
  const agreed = agreeAsked(seen, "a blue header");
  expect(judge(agreed!).verdict).toBe("verified");
  expect(seen.asked![1]!.isAgreed).toBeUndefined();
});

it("leaves unconfirmed items open", () => {
  const agreed = agreeAsked(runningApp([blue, { what: "rounder", byEye: true }]), "rounder");
  expect(unprovenItems(agreed!).map(({ what }) => what)).toEqual(["a blue header"]);
});

it("accepts no confirmation for an item that needs a check, and none twice", () => {
  const seen = runningApp([adds, blue]);
  expect(agreeAsked(seen, "add tasks")).toBeUndefined();
  expect(agreeAsked(seen, "something else")).toBeUndefined();
  expect(agreeAsked(agreeAsked(seen, "a blue header")!, "a blue header")).toBeUndefined();
});

it("does not make failed evidence verified", () => {
  const seen = runningApp([blue]);
  seen.parts.page = { state: "failed", summary: "blank" };
  expect(judge(agreeAsked(seen, "a blue header")!).verdict).toBe("failed");
});

it("does not apply to another revision", () => {
  const { asked = [] } = agreeAsked(runningApp([adds, blue]), "a blue header")!;
  expect(withoutAgreement(asked)).toEqual([adds, blue]);
});
