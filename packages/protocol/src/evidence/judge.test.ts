import { describe, expect, test } from "vitest";
import { sentence } from "../sentences/index.ts";
import { heldWords, judge, unprovenItems, untriedEvidence } from "./judge.ts";
import {
  EVIDENCE_PARTS,
  type AskedItem,
  type CheckReport,
  type Evidence,
  type EvidencePart,
  type PartState,
} from "./types.ts";

function evidenceOf(states: Partial<Record<EvidencePart, PartState>>): Evidence {
  const evidence = untriedEvidence("r1");
  for (const part of EVIDENCE_PARTS) {
    const state = states[part] ?? "held";
    evidence.parts[part] = { state, summary: `${part} is ${state}` };
  }
  return evidence;
}

const check = (name: string, state: "held" | "failed" | "untried", result: string) => ({
  name,
  state,
  steps: [{ ok: state === "held", said: result }],
});

describe("judge", () => {
  test("fails if a check of the project fails, and names its step", () => {
    const checks = [
      check("Open", "held", "expect Tasks"),
      check("Add", "failed", "expect Milk: it is not there"),
    ];
    expect(judge({ ...evidenceOf({}), checks })).toMatchObject({
      verdict: "failed",
      check: { name: "Add" },
      reason: "the check “Add” failed at expect Milk: it is not there",
    });
    // A more basic failure explains more.
    expect(judge({ ...evidenceOf({ build: "failed" }), checks }).part).toBe("build");
  });

  test("proves nothing while a check has not run, and counts those that passed", () => {
    const open = { ...evidenceOf({}), checks: [check("Add", "untried", "")] };
    expect(judge(open)).toMatchObject({ verdict: "unverified", check: { name: "Add" } });
    const passed = { ...evidenceOf({}), checks: [check("Add", "held", "expect Milk")] };
    expect(judge(passed).reason).toMatch(/no errors, 1 check passed$/);
  });

  test("names missing outside hosts, and claims nothing about errors if data or scripts were missing", () => {
    const pageOf = (kind: "data" | "looks") => ({
      ...evidenceOf({}),
      wanted: [{ host: "api.x.org", why: "not-allowed" as const }],
      pages: [
        { wanted: [{ host: "api.x.org", why: "not-allowed", for: kind }] } as Evidence["pages"][0],
      ],
    });
    expect(heldWords(pageOf("looks"))).toEqual(
      expect.arrayContaining(["no errors", "api.x.org was not reached"]),
    );
    expect(heldWords(pageOf("data"))).toContain("api.x.org was not reached");
    expect(heldWords(pageOf("data"))).not.toContain("no errors");
  });

  test("is unverified for a revision that was not checked", () => {
    expect(judge(untriedEvidence("r1"))).toMatchObject({
      verdict: "unverified",
      part: "install",
      reason: "install: not tried yet",
    });
  });

  test("runs if every part passed and no check shows the request", () => {
    expect(judge(evidenceOf({}))).toMatchObject({
      verdict: "runs",
      reason:
        "installed, built, served, page rendered, no errors; what was asked for was not tried",
    });
  });

  test.each(EVIDENCE_PARTS)("is failed if %s failed, whatever the other parts", (part) => {
    const others = Object.fromEntries(EVIDENCE_PARTS.map((name) => [name, "untried" as const]));
    expect(judge(evidenceOf({ ...others, [part]: "failed" }))).toMatchObject({
      verdict: "failed",
      part,
      reason: `${part} is failed`,
    });
  });

  test.each(EVIDENCE_PARTS)("is never verified while %s is untried or in progress", (part) => {
    for (const state of ["untried", "going"] as const)
      expect(judge(evidenceOf({ [part]: state }))).toMatchObject({ verdict: "unverified", part });
  });

  test("names the first broken part in the order of checking", () => {
    expect(judge(evidenceOf({ console: "failed", build: "failed" })).part).toBe("build");
  });

  test("runs for an API, which has no page, if a request was answered", () => {
    const api = evidenceOf({ page: "inapplicable", console: "inapplicable" });
    expect(judge(api)).toMatchObject({
      verdict: "runs",
      reason: "installed, built, request answered; what was asked for was not tried",
    });
  });

  test("is unverified if nothing applies, because that proves nothing", () => {
    const states = Object.fromEntries(
      EVIDENCE_PARTS.map((part) => [part, "inapplicable" as const]),
    );
    expect(judge(evidenceOf(states))).toMatchObject({
      verdict: "unverified",
      part: "serve",
      reason: "nothing was served",
    });
  });

  test("only describes parts that passed", () => {
    expect(heldWords(evidenceOf({ build: "failed", page: "untried" }))).toEqual([
      "installed",
      "served",
      "no errors",
    ]);
  });
});

describe("requirements", () => {
  const passed = (name: string, more: Partial<CheckReport> = {}): CheckReport => ({
    ...check(name, "held", "expect Milk"),
    ...more,
  });

  test("are not reported as unchanged if their check was rewritten to what held before", () => {
    const asked: AskedItem[] = [{ what: "share", check: "Shares", isOlder: true }];
    const whyOf = (more: Partial<CheckReport>) =>
      unprovenItems({ ...evidenceOf({}), asked, checks: [passed("Shares", more)] })[0]?.why;
    expect(whyOf({})).toBe("older-check");
    expect(whyOf({ rewritten: true })).toBe("passed-before");
  });

  const asked = (items: AskedItem[], checks: CheckReport[] = []) =>
    judge({ ...evidenceOf({}), asked: items, checks }).verdict;

  test("are verified if a check that counts shows each of them", () => {
    const checks = [passed("Adds a task"), passed("Removes a task")];
    const items = [
      { what: "add tasks", check: "Adds a task" },
      // Models spell the same name in different ways.
      { what: "remove them", check: "“removes a task”." },
    ];
    expect(asked(items, checks)).toBe("verified");
    expect(judge({ ...evidenceOf({}), checks }).verdict).toBe("verified");
  });

  test.each([
    ["no-check", [{ what: "add tasks" }], []],
    ["unknown-check", [{ what: "add tasks", check: "Adds" }], [passed("Other")]],
    ["by-eye", [{ what: "make it blue", byEye: true as const }], [passed("Other")]],
    ...(["already-held", "no-expectation", "passed-before"] as const).map((provesNothing) => [
      provesNothing,
      [{ what: "add tasks", check: "Adds" }],
      [passed("Adds", { provesNothing }), passed("Other")],
    ]),
  ] as [string, AskedItem[], CheckReport[]][])(
    "only runs where one thing is not shown: %s",
    (why, items, checks) => {
      const evidence = { ...evidenceOf({}), asked: items, checks };
      expect(judge(evidence).verdict).toBe("runs");
      expect(unprovenItems(evidence)).toMatchObject([{ what: items[0]?.what, why }]);
    },
  );

  test("are not reported as passed by a check that proves nothing", () => {
    const checks = [passed("Adds", { provesNothing: "already-held" })];
    expect(heldWords({ ...evidenceOf({}), checks })).not.toContain("1 check passed");
  });

  test("do not improve a failed or unverifiable result", () => {
    const items = [{ what: "add tasks", check: "Adds" }];
    const checks = [passed("Adds")];
    const verdictOf = (states: Parameters<typeof evidenceOf>[0]) =>
      judge({ ...evidenceOf(states), asked: items, checks }).verdict;
    expect(verdictOf({ page: "failed" })).toBe("failed");
    expect(verdictOf({ page: "untried" })).toBe("unverified");
  });
});

describe("faults of the turn", () => {
  const message = "npm install failed with 1";

  test("are listed beside a good verdict, the first three", () => {
    const turn = Array.from({ length: 5 }, () => ({ said: message, takesAway: false }));
    const checks = [check("Add", "held", "expect Milk")];
    expect(judge({ ...evidenceOf({}), checks, turn })).toMatchObject({
      verdict: "verified",
      reason: `installed, built, served, page rendered, no errors, 1 check passed; in this turn ${message}, ${message}, ${message} and 2 more`,
    });
  });

  test("prevent verified if something required is missing", () => {
    const turn = [{ said: "app.js was cut off", takesAway: true }];
    expect(judge({ ...evidenceOf({}), turn })).toMatchObject({
      verdict: "unverified",
      reason: "app.js was cut off",
    });
    expect(judge({ ...evidenceOf({ serve: "failed" }), turn }).verdict).toBe("failed");
  });
});

const BLANK = sentence("blank", { path: "/" });

test.each([
  [BLANK, "nothing of why"],
  [
    sentence("with-error", { error: "React is not defined", what: BLANK }),
    "what was thrown as well",
  ],
])("are reported once instead of a blank page that they caused: %j", ({ text, coded }) => {
  const evidence = evidenceOf({ page: "failed", console: "failed" });
  evidence.parts.page = { ...evidence.parts.page, summary: text, summaryCode: coded! };
  evidence.parts.console.summary = "uncaught: React is not defined";
  expect(judge(evidence)).toMatchObject({
    verdict: "failed",
    part: "console",
    reason: "uncaught: React is not defined; the page / is blank",
    reasonCode: { values: { parts: ["uncaught: React is not defined", BLANK.coded] } },
  });
});
