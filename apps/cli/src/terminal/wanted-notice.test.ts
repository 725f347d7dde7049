import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, test } from "vitest";
import { wantedNotice } from "./wanted-notice.ts";

test("names hosts that were requested and can be allowed, with the command that allows them", () => {
  const evidence = untriedEvidence("r");
  expect(wantedNotice(evidence)).toBeUndefined();
  evidence.wanted = [
    { host: "away.example.com", why: "unreached" },
    { host: "api.example.com", why: "not-allowed" },
  ];
  expect(wantedNotice(evidence)).toBe(
    "It wanted api.example.com: not allowed for this project. To allow it, run again with --allow-host api.example.com",
  );
});
