import { afterAll, expect, test } from "vitest";
import { describeCases } from "../conformance.test-support.ts";
import { applyEdits } from "./apply.ts";
import type { Edit } from "./types.ts";

interface Case {
  name: string;
  original: string;
  edits: Edit[];
  expected?: string;
  also_accept?: string[];
  error?: string;
}

/** The case edits the third of five equal places; our implementation rejects an ambiguous match. */
const REFUSED = ["roo: find matches from middle out"];

describeCases<Case[]>("edit-cases.json", (cases) => {
  const count = { right: 0, variant: 0, refused: 0, wrong: 0, unsafe: 0 };
  for (const one of cases) count[verdictOf(one, applyEdits(one.original, one.edits))]++;
  for (const one of cases) {
    test(one.name, () => {
      const result = applyEdits(one.original, one.edits);
      if (one.error !== undefined || REFUSED.includes(one.name)) {
        expect(result.ok).toBe(false);
        expect(result.content).toBe(one.original);
      } else {
        expect(result.ok).toBe(true);
        expect([one.expected, ...(one.also_accept ?? [])]).toContain(result.content);
      }
    });
  }

  test("no edit is applied that must be rejected, and at least 80 of 86 are right", () => {
    expect(count.unsafe).toBe(0);
    expect(count.wrong).toBe(0);
    expect(count.right).toBeGreaterThanOrEqual(80);
  });

  afterAll(() => {
    console.log(
      [
        "| applier | right | accepted variant | refused, should apply | wrong output | applied, must refuse |",
        "|---|---|---|---|---|---|",
        `| treadle | ${count.right} | ${count.variant} | ${count.refused} | ${count.wrong} | ${count.unsafe} |`,
      ].join("\n"),
    );
  });
});

function verdictOf(
  one: Case,
  result: { ok: boolean; content: string },
): "right" | "variant" | "refused" | "wrong" | "unsafe" {
  if (one.error !== undefined) return result.ok ? "unsafe" : "right";
  if (!result.ok) return "refused";
  if (result.content === one.expected) return "right";
  return one.also_accept?.includes(result.content) ? "variant" : "wrong";
}
