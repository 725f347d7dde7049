import { expect, test } from "vitest";
import { admitProbe } from "./content-policy.ts";

const admission = { own: "O", hashes: ["'sha256-H'"], embedders: ["A", "B"] };

test.each([
  ["img-src *", "img-src *"],
  ["script-src 'self'", "script-src 'self'; script-src-elem 'self' O"],
  [
    "default-src 'none'; img-src *",
    "default-src 'none'; img-src *; script-src-elem O; connect-src O",
  ],
  [
    "script-src 'nonce-x' 'strict-dynamic'; script-src-elem 'nonce-x' 'strict-dynamic'",
    "script-src 'nonce-x' 'strict-dynamic'; script-src-elem 'nonce-x' 'strict-dynamic' O 'sha256-H'",
  ],
  // A hash would disable this.
  ["script-src 'unsafe-inline'", "script-src 'unsafe-inline'; script-src-elem 'unsafe-inline' O"],
  ["connect-src wss://a; frame-ancestors 'none'", "connect-src wss://a O; frame-ancestors A B"],
  ["Connect-Src a; connect-src b", "connect-src a O"],
  ["connect-src a, script-src 'NONE'", "connect-src a O, script-src 'NONE'; script-src-elem O"],
  ["", ""],
])("%s", (policy, expected) => {
  expect(admitProbe(policy, admission)).toBe(expected);
});
