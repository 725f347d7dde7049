import type { Evidence } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { describe, expect, it } from "vitest";
import { failureSignature } from "./failure-signature.ts";

function failed(detail: string, summary = "npm run dev crashed"): Evidence {
  const evidence = untriedEvidence("r");
  for (const part of ["install", "build", "serve"] as const)
    evidence.parts[part] = { state: "held", summary: "" };
  evidence.parts.serve = { state: "failed", summary, detail };
  return evidence;
}
const same = (one: string, other: string) =>
  expect(failureSignature(failed(one))).toBe(failureSignature(failed(other)));

describe("the same failure", () => {
  it.each([
    ["process ids", "(node:4711) Error: no such module", "(node:82) Error: no such module"],
    ["ports", "listen EADDRINUSE: address in use :::5173, port 5173", "listen EADDRINUSE: address in use :::3001, port 3001"], // prettier-ignore
    [
      "times",
      "[10:35:19 AM] Error in 1.4s\n2026-11-22T10_35_19_123Z-debug-0.log failed",
      "[9:01:02 PM] Error in 830 ms\n2026-11-23T01_02_03_004Z-debug-0.log failed",
    ],
    [
      "hashes",
      "cannot load /assets/index-B3xF9a2c.js (3f2a9c1)",
      "cannot load /assets/index-Qq81_zzA.js (a81bb02)",
    ],
    [
      "folders made for one try",
      "gyp ERR! cwd /tmp/npm-x1Yz/node_modules/better-sqlite3",
      "gyp ERR! cwd /tmp/npm-Qw82/node_modules/better-sqlite3",
    ],
    [
      "the order in which things were printed, and what is printed beside",
      "npm error code 1\nprebuild-install warn 37\nError: cannot find module a",
      "Error: cannot find module a\nnpm error code 1\nprebuild-install info 41",
    ],
    ["colours", "\u001b[31mError\u001b[39m: no", "Error: no"],
  ])("is recognised under other %s", (_what, one, other) => {
    same(one, other);
  });

  it.each([
    ["Error: cannot find module a", "Error: cannot find module b"],
    ["App.jsx:10:5 unexpected token", "App.jsx:24:5 unexpected token"],
    ["TypeError: x is undefined", "ReferenceError: x is not defined"],
  ])("is not another: %s, %s", (one, other) => {
    expect(failureSignature(failed(one))).not.toBe(failureSignature(failed(other)));
  });
});
