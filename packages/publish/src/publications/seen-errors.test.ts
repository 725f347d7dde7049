import { expect, it } from "vitest";
import { addError, BROWSER_ERRORS_KEPT, ERRORS_KEPT } from "./seen-errors.ts";

const empty = () => ({ since: 0, requests: 0, restarts: 0, errors: 0, newest: [] });

it("counts repeated errors of one release as one, and separates those of another release", () => {
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

it("keeps the newest errors, of any length, and counts all", () => {
  const seen = empty();
  for (let n = 0; n <= ERRORS_KEPT; n++)
    addError(seen, { release: 1, kind: "answer", text: `${n} ${"x".repeat(5_000)}` }, n);
  expect(seen.newest).toHaveLength(ERRORS_KEPT);
  expect(seen.errors).toBe(ERRORS_KEPT + 1);
  expect(JSON.stringify(seen).length).toBeLessThan(ERRORS_KEPT * 1_000);
});

it("A127 a flood of browser reports does not displace errors seen here, nor frequent reports", () => {
  const seen = empty();
  addError(seen, { release: 1, kind: "crash", text: "It ended." }, 0);
  for (let n = 0; n < 3; n++)
    addError(seen, { release: 1, kind: "browser", text: "many", stack: "src/App.tsx:1:1" }, n);
  addError(seen, { release: 1, kind: "browser", text: "many" }, 4);
  for (let n = 0; n < 1_000; n++)
    addError(seen, { release: 1, kind: "browser", text: `made up ${n}` }, 10 + n);
  const { newest } = seen as Parameters<typeof addError>[0];
  expect(newest.filter(({ kind }) => kind === "browser")).toHaveLength(BROWSER_ERRORS_KEPT);
  expect(newest).toContainEqual(expect.objectContaining({ text: "It ended." }));
  expect(newest).toContainEqual(
    expect.objectContaining({ text: "many", count: 4, stack: "src/App.tsx:1:1" }),
  );
  expect(newest[0]!.text).toBe("made up 999");
});
