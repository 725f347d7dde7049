import { expect, test } from "vitest";
import { admitProbe } from "./content-policy.ts";

const admission = { script: "S", hash: "'sha256-H'", report: "R", embedders: ["A", "B"] };

test.each([
  ["img-src *", "img-src *"],
  ["script-src 'self'", "script-src 'self'; script-src-elem 'self' S"],
  [
    "default-src 'none'; img-src *",
    "default-src 'none'; img-src *; script-src-elem S; connect-src R",
  ],
  [
    "script-src 'nonce-x' 'strict-dynamic'; script-src-elem 'nonce-x' 'strict-dynamic'",
    "script-src 'nonce-x' 'strict-dynamic'; script-src-elem 'nonce-x' 'strict-dynamic' S 'sha256-H'",
  ],
  // A hash would switch this off.
  ["script-src 'unsafe-inline'", "script-src 'unsafe-inline'; script-src-elem 'unsafe-inline' S"],
  ["connect-src wss://a; frame-ancestors 'none'", "connect-src wss://a R; frame-ancestors A B"],
  ["Connect-Src a; connect-src b", "connect-src a R"],
  ["connect-src a, script-src 'NONE'", "connect-src a R, script-src 'NONE'; script-src-elem S"],
  ["", ""],
])("%s", (policy, wanted) => {
  expect(admitProbe(policy, admission)).toBe(wanted);
});
