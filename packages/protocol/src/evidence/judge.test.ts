import { describe, expect, test } from "vitest";
import { heldWords, judge, untriedEvidence } from "./judge.ts";
import { EVIDENCE_PARTS, type Evidence, type EvidencePart, type PartState } from "./types.ts";

function evidenceOf(states: Partial<Record<EvidencePart, PartState>>): Evidence {
  const evidence = untriedEvidence("r1");
  for (const part of EVIDENCE_PARTS) {
    const state = states[part] ?? "held";
    evidence.parts[part] = { state, summary: `${part} is ${state}` };
  }
  return evidence;
}

describe("judge", () => {
  const check = (name: string, state: "held" | "failed" | "untried", said: string) => ({
    name,
    state,
    steps: [{ ok: state === "held", said }],
  });

  test("fails where a check of the project fails, and names its step", () => {
    const checks = [
      check("Open", "held", "expect Tasks"),
      check("Add", "failed", "expect Milk: it is not there"),
    ];
    expect(judge({ ...evidenceOf({}), checks })).toMatchObject({
      verdict: "failed",
      check: { name: "Add" },
      reason: "the check “Add” failed at expect Milk: it is not there",
    });
    // What is broken below it explains more.
    expect(judge({ ...evidenceOf({ build: "failed" }), checks }).part).toBe("build");
  });

  test("proves nothing while a check was not run, and counts those that passed", () => {
    const open = { ...evidenceOf({}), checks: [check("Add", "untried", "")] };
    expect(judge(open)).toMatchObject({ verdict: "unverified", check: { name: "Add" } });
    const passed = { ...evidenceOf({}), checks: [check("Add", "held", "expect Milk")] };
    expect(judge(passed).reason).toMatch(/no errors, 1 check passed$/);
  });

  test("is unverified for a revision nobody looked at", () => {
    expect(judge(untriedEvidence("r1"))).toEqual({
      verdict: "unverified",
      part: "install",
      reason: "install: not tried yet",
    });
  });

  test("is verified when every part held", () => {
    expect(judge(evidenceOf({}))).toEqual({
      verdict: "verified",
      reason: "installed, built, served, page rendered, no errors",
    });
  });

  test.each(EVIDENCE_PARTS)("is failed when %s failed, whatever the others say", (part) => {
    const others = Object.fromEntries(EVIDENCE_PARTS.map((name) => [name, "untried" as const]));
    expect(judge(evidenceOf({ ...others, [part]: "failed" }))).toEqual({
      verdict: "failed",
      part,
      reason: `${part} is failed`,
    });
  });

  test.each(EVIDENCE_PARTS)("is never verified while %s is untried or going", (part) => {
    for (const state of ["untried", "going"] as const)
      expect(judge(evidenceOf({ [part]: state }))).toMatchObject({ verdict: "unverified", part });
  });

  test("names the first broken part in the order of trying", () => {
    expect(judge(evidenceOf({ console: "failed", build: "failed" })).part).toBe("build");
  });

  test("is verified for an API, which has no page, by an answered request", () => {
    const api = evidenceOf({ page: "inapplicable", console: "inapplicable" });
    expect(judge(api)).toEqual({
      verdict: "verified",
      reason: "installed, built, request answered",
    });
  });

  test("is unverified where nothing applies: that proves nothing", () => {
    const states = Object.fromEntries(
      EVIDENCE_PARTS.map((part) => [part, "inapplicable" as const]),
    );
    expect(judge(evidenceOf(states))).toEqual({
      verdict: "unverified",
      part: "serve",
      reason: "nothing was served",
    });
  });

  test("finds words only for what held", () => {
    expect(heldWords(evidenceOf({ build: "failed", page: "untried" }))).toEqual([
      "installed",
      "served",
      "no errors",
    ]);
  });
});

describe("what went badly in the turn", () => {
  const said = "npm install failed with 1";

  test("is named beside verified, the first three of it", () => {
    const turn = Array.from({ length: 5 }, () => ({ said, takesAway: false }));
    expect(judge({ ...evidenceOf({}), turn })).toEqual({
      verdict: "verified",
      reason: `installed, built, served, page rendered, no errors; in this turn ${said}, ${said}, ${said} and 2 more`,
    });
  });

  test("takes verified away where what was to be there is not", () => {
    const turn = [{ said: "app.js was cut off", takesAway: true }];
    expect(judge({ ...evidenceOf({}), turn })).toEqual({
      verdict: "unverified",
      reason: "app.js was cut off",
    });
    expect(judge({ ...evidenceOf({ serve: "failed" }), turn }).verdict).toBe("failed");
  });
});

test("what was thrown says more than that the page is blank", () => {
  const evidence = evidenceOf({ page: "failed", console: "failed" });
  evidence.parts.page.summary = "the page / is blank";
  evidence.parts.console.summary = "uncaught: React is not defined";
  expect(judge(evidence)).toEqual({
    verdict: "failed",
    part: "console",
    reason: "uncaught: React is not defined; the page / is blank",
  });
});
