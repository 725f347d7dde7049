import { expect, it } from "vitest";
import { contrastOf, hexOf } from "./drawn-colour.ts";

it("computes the WCAG contrast, in either order of colours", () => {
  expect(contrastOf([255, 255, 255], [0, 0, 0])).toBeCloseTo(21);
  expect(contrastOf([0x76, 0x76, 0x76], [255, 255, 255])).toBeCloseTo(4.54, 2);
  expect(contrastOf([9, 9, 9], [9, 9, 9])).toBe(1);
  expect(hexOf([1, 160, 255])).toBe("#01a0ff");
});
