import { expect, it } from "vitest";
import { areaOf } from "./crop-picture.ts";

it("an area spans two points in any order, within the picture", () => {
  expect(areaOf({ x: 0.75, y: 0.5 }, { x: 0.25, y: 0.25 })).toEqual({
    x: 0.25,
    y: 0.25,
    width: 0.5,
    height: 0.25,
  });
  expect(areaOf({ x: 0.5, y: 0.5 }, { x: 2, y: -1 })).toEqual({
    x: 0.5,
    y: 0,
    width: 0.5,
    height: 0.5,
  });
});

it("a click is not an area", () => {
  expect(areaOf({ x: 0.5, y: 0.5 }, { x: 0.5, y: 0.9 })).toBeUndefined();
});
