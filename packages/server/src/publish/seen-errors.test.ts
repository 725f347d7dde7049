import { expect, it } from "vitest";
import { addError, ERRORS_KEPT } from "./seen-errors.ts";

const empty = () => ({ since: 0, requests: 0, restarts: 0, errors: 0, newest: [] });

it("the same error of one release is one with a count, that of another release is another", () => {
  const seen = empty();
  addError(seen, { release: 1, kind: "crash", text: "a" }, 1);
  addError(seen, { release: 1, kind: "answer", text: "b" }, 2);
  addError(seen, { release: 1, kind: "crash", text: "a" }, 3);
  addError(seen, { release: 2, kind: "crash", text: "a" }, 4);
  expect(seen).toMatchObject({
    errors: 4,
    newest: [
      { release: 2, text: "a", count: 1, at: 4 },
      { release: 1, text: "a", count: 2, at: 3 },
      { text: "b", count: 1 },
    ],
  });
});

it("the newest are kept, of any length, and all are counted", () => {
  const seen = empty();
  for (let n = 0; n <= ERRORS_KEPT; n++)
    addError(seen, { release: 1, kind: "answer", text: `${n} ${"x".repeat(5_000)}` }, n);
  expect(seen.newest).toHaveLength(ERRORS_KEPT);
  expect(seen.errors).toBe(ERRORS_KEPT + 1);
  expect(JSON.stringify(seen).length).toBeLessThan(ERRORS_KEPT * 1_000);
});
