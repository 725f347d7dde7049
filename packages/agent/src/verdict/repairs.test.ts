import { expect, it } from "vitest";
import { createRepairs, triedWords } from "./repairs.ts";

it("names what each repair changed or ran, and leaves out one that did neither", () => {
  const repairs = createRepairs();
  expect(triedWords(repairs)).toBe("");
  repairs.tried = [[], ["Edited a.js", "Ran npm test"], []];
  expect(triedWords(repairs)).toMatch(/1\. Edited a\.js, Ran npm test\.$/);
  repairs.tried = [[], []];
  expect(triedWords(repairs)).toBe("");
});
