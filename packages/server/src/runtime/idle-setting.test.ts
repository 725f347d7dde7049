import { expect, it } from "vitest";
import { DEFAULT_IDLE_MS, readIdleMs } from "./idle-setting.ts";

it("parses how long a project may be unused, and names the variable if it is invalid", () => {
  expect(readIdleMs(undefined)).toBe(DEFAULT_IDLE_MS);
  expect(readIdleMs("")).toBe(DEFAULT_IDLE_MS);
  expect(readIdleMs("5")).toBe(300_000);
  expect(readIdleMs("0.02")).toBe(1200);
  expect(readIdleMs("0")).toBe(Number.POSITIVE_INFINITY);
  for (const wrong of ["-1", "soon", "NaN", "1e999"])
    expect(() => readIdleMs(wrong)).toThrow("TREADLE_IDLE_MINUTES");
});
