import { describe, expect, it } from "vitest";
import { readShape, scaleOf, sizeOf, writeShape, type Shape } from "./devices.ts";

const room = { width: 700, height: 600 };

describe("the window of the preview", () => {
  it("uses the available space until the user chooses another size", () => {
    expect(sizeOf({ kind: "fill" }, room)).toBeUndefined();
    expect(sizeOf({ kind: "device", id: "gone", turned: false }, room)).toBeUndefined();
  });

  it("has a device's size, upright or rotated, and is scaled down if it does not fit", () => {
    const upright = sizeOf({ kind: "device", id: "ipad-mini", turned: false }, room)!;
    expect(upright).toEqual({ width: 744, height: 1133 });
    expect(scaleOf(upright, room)).toBeCloseTo(600 / 1133);
    expect(sizeOf({ kind: "device", id: "ipad-mini", turned: true }, room)).toEqual({
      width: 1133,
      height: 744,
    });
    expect(scaleOf({ width: 300, height: 300 }, room)).toBe(1);
  });

  it.each<Shape>([
    { kind: "fill" },
    { kind: "free", width: 512 },
    { kind: "device", id: "pixel-9", turned: true },
    { kind: "device", id: "laptop", turned: false },
  ])("is stored and read again: $kind", (shape) => {
    expect(readShape(writeShape(shape))).toEqual(shape);
  });

  it("uses the available space if the stored shape is invalid", () => {
    for (const stored of ["device:nokia", "free:x", "free:-3", "?", undefined])
      expect(readShape(stored)).toEqual({ kind: "fill" });
    expect(readShape("free:99999")).toEqual({ kind: "free", width: 2560 });
  });
});
