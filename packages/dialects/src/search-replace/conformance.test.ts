import { expect, test } from "vitest";
import { describeCases } from "../conformance.test-support.ts";
import { applyEdits } from "../edits/apply.ts";
import { parseSearchReplace } from "./parse.ts";

interface Case {
  name: string;
  original: string;
  diff: string;
  expected?: string;
  error?: string;
}

/** The case edits one of several equal places, which our implementation rejects. */
const REFUSED = ["roo: exact matching / should find matches from middle out"];

describeCases<Case[]>("search-replace-cases.json", (cases) => {
  for (const { name, original, diff, expected, error } of cases) {
    test(name, () => {
      const parsed = parseSearchReplace(diff);
      const result = parsed.ok ? applyEdits(original, parsed.edits) : parsed;
      if (error !== undefined || REFUSED.includes(name)) expect(result.ok).toBe(false);
      else expect(result).toMatchObject({ ok: true, content: expected });
    });
  }
});
