import { describe, expect, it } from "vitest";
import { spanOf } from "./span-in-address.ts";

describe("the checkpoints in an address", () => {
  it("are two, or one and the current files", () => {
    expect(spanOf("4f2c..9a01")).toEqual({ from: "4f2c", to: "9a01" });
    expect(spanOf("4f2c..")).toEqual({ from: "4f2c", to: undefined });
  });

  it.each([
    undefined,
    "",
    "..",
    "..9a01",
    "4f2c",
    "a b",
    "a...b",
    "a/../b",
    7,
    ["a"],
    "a".repeat(300),
  ])("are missing in %j", (value) => {
    expect(spanOf(value)).toBeUndefined();
  });
});
