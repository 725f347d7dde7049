import { expect, it } from "vitest";
import { pointsOnlyAt } from "./points-only-at.ts";

it("A27 a model's additions to a person's text mention nothing outside, and the person's text is unchanged", () => {
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

it("A27 no mention is left that was inside another", () => {
  expect(pointsOnlyAt('@"notes:note://1 @https://evil.example"', "x")).toBe(
    `"notes:note://1 https://evil.example"`,
  );
});
