import { RULE_CODES, type RuleResult } from "@treadle/fullstack-bench/types";
import { expect, it } from "vitest";
import { RULE_NAMES, ruleWords } from "./score-words.ts";

const failed: RuleResult[] = [
  { code: "layout", state: "failed", root: ".", missing: ["dev"] },
  {
    code: "install",
    state: "failed",
    commands: [{ command: "npm run install:all", exit: 1, ms: 5, output: "…\nnpm error E404 x" }],
  },
  { code: "start", state: "failed", port: null, ms: 60_000 },
  { code: "start", state: "failed", port: null, ms: 900, ended: 7, output: "Error: no database" },
  { code: "page", state: "failed", status: 502, isHtml: false, isShown: null },
  { code: "page", state: "failed", status: null, isHtml: false, isShown: null },
  { code: "page", state: "failed", status: 200, isHtml: true, isShown: false },
  { code: "api", state: "failed", asked: ["/a"], broken: [{ path: "/a", status: 500 }] },
  { code: "api", state: "failed", asked: ["/a"], broken: [] },
  { code: "database-opens", state: "failed", version: "15", error: "…\nincompatible" },
  { code: "database-reached", state: "failed", statements: 0, checks: 2, during: 0 },
  { code: "rows-written", state: "failed", checks: [], writes: 0 },
  { code: "tables", state: "failed", structures: [{ structure: "call logs", tables: [] }] },
];

it.each(failed)("describes the failure with the values of $code", (rule) => {
  const words = ruleWords(rule);
  expect(words).not.toBe("");
  expect(words).not.toMatch(/undefined|null|NaN|\n/);
});

it("has a name for every rule, and adds nothing to untried ones", () => {
  expect(Object.keys(RULE_NAMES)).toEqual([...RULE_CODES]);
  for (const rule of failed) expect(ruleWords({ ...rule, state: "untried" })).toBe("not tried");
});
