import { EVIDENCE_PARTS, untriedEvidence, type Evidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import { evidenceText } from "./evidence-text.ts";

const held = { state: "held", summary: "held" } as const;

it("tells of a failed check's page what its console shows, without what browsers hide unless asked", () => {
  const evidence = {
    verdict: "failed",
    parts: Object.fromEntries(EVIDENCE_PARTS.map((part) => [part, held])),
    pages: [],
    checks: [
      {
        name: "Adds",
        state: "failed",
        steps: [{ ok: false, said: "expect Milk: it is not there" }],
        failedStep: {
          path: "/",
          outline: "- main",
          console: ["debug: [vite] connected.", "log: debug: added", "warning: slow"],
        },
      },
    ],
  } as unknown as Evidence;
  const text = evidenceText(evidence, 0);
  expect(text).toContain("log: debug: added");
  expect(text).toContain("warning: slow");
  expect(text).not.toContain("vite");
});

it("says of which revision its state is, beside its age", () => {
  const evidence = { ...untriedEvidence("1f3a5c7e9b"), at: 1_000 };
  expect(evidenceText(evidence, 62_000)).toMatch(/^status: .* 61s ago, revision 1f3a5c7e\n/);
});
