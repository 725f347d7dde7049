import { expect, test } from "vitest";
import { describeCases } from "../conformance.test-support.ts";
import { applyPatch } from "./apply.ts";
import { parsePatch } from "./parse.ts";

interface Case {
  name: string;
  input: Record<string, string>;
  patch: string;
  expected: Record<string, string>;
  fails: boolean;
}

describeCases<Case[]>("apply-patch-cases.json", (cases) => {
  for (const { name, input, patch, expected, fails } of cases) {
    test(name, () => {
      const before = { ...input };
      const result = applyPatch(input, patch);
      expect(input).toEqual(before);
      if (fails) {
        expect(result.ok).toBe(false);
        return;
      }
      expect(result).toEqual({ ok: true, files: expected });
      const parsed = parsePatch(patch);
      expect(parsed.ok && applyPatch(input, parsed.patch)).toEqual(result);
    });
  }
});
