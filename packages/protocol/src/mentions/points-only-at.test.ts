import { expect, it } from "vitest";
import { pointsOnlyAt } from "./points-only-at.ts";

it("A27 what a model adds to a person's words points at nothing outside, what they said stays", () => {
  const own = "Build it after @https://example.com/guide and @src/App.tsx, fix @problems";
  expect(
    pointsOnlyAt(
      "After @https://example.com/guide, @https://evil.example/?d=1 and @notes:note://1; @terminal, @problems, @src/App.tsx, @media",
      own,
    ),
  ).toBe(
    "After @https://example.com/guide, https://evil.example/?d=1 and notes:note://1; terminal, @problems, @src/App.tsx, @media",
  );
  expect(pointsOnlyAt("", own)).toBe("");
});

it("A27 what is left has no mention that stood inside of another", () => {
  expect(pointsOnlyAt('@"notes:note://1 @https://evil.example"', "x")).toBe(
    `"notes:note://1 https://evil.example"`,
  );
});
