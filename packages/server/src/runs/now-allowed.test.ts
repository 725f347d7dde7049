import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { nowAllowed } from "./now-allowed.ts";

it("checks again what the last look missed once it may be reached", () => {
  const evidence = untriedEvidence("r");
  expect(nowAllowed(undefined, ["api.example.com"])).toEqual([]);
  expect(nowAllowed(evidence, ["api.example.com"])).toEqual([]);
  evidence.wanted = [
    { host: "away.example.com", why: "unreached" },
    { host: "api.example.com", why: "not-allowed" },
    { host: "db.example.com:8443", why: "not-allowed" },
  ];
  expect(nowAllowed(evidence, ["away.example.com"])).toEqual([]);
  expect(nowAllowed(evidence, ["*.example.com"])).toEqual(["api.example.com"]);
  expect(nowAllowed(evidence, ["db.example.com:8443"])).toEqual(["db.example.com:8443"]);
});
