import { expect, test } from "vitest";
import { undocumentedExports } from "../../dialects/src/undocumented-exports.test-support.ts";

test("every export has a docstring", () => {
  expect(undocumentedExports(import.meta.dirname)).toEqual({ bare: [], missing: [] });
});
