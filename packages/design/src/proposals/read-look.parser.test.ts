import { expect, it } from "vitest";
import { parse } from "./read-look.parser.ts";

const light = {
  background: "rgb(250, 250, 250)",
  text: "rgb(34, 34, 34)",
  font: "Georgia, serif",
  size: 18,
  link: "rgb(0, 0, 200)",
  radii: [4],
  gaps: [24, 8, 16],
};

it("makes tokens of a page's prominent values, with dark values that differ", () => {
  const dark = { ...light, background: "rgb(17, 17, 17)" };
  expect(
    parse({ light, dark }).map(({ name, values }) => [name, values.base, values.dark]),
  ).toEqual([
    ["--color-background", "rgb(250, 250, 250)", "rgb(17, 17, 17)"],
    ["--color-text", "rgb(34, 34, 34)", undefined],
    ["--color-accent", "rgb(0, 0, 200)", undefined],
    ["--font-body", "Georgia, serif", undefined],
    ["--text-base", "18px", undefined],
    ["--spacing-small", "8px", undefined],
    ["--spacing-medium", "16px", undefined],
    ["--spacing-large", "24px", undefined],
    ["--radius-medium", "4px", undefined],
  ]);
});

it("omits values that no token can have", () => {
  const names = parse({ light: { ...light, font: "x; } body { color: red" } }).map(
    ({ name }) => name,
  );
  expect(names).not.toContain("--font-body");
});
