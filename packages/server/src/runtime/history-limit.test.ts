import { expect, it } from "vitest";
import { DEFAULT_HISTORY_BYTES, readHistoryBytes } from "./history-limit.ts";

it("parses megabytes; 0 means no limit, and an invalid value is refused with the variable's name", () => {
  expect(readHistoryBytes(undefined)).toBe(DEFAULT_HISTORY_BYTES);
  expect(readHistoryBytes("2")).toBe(2 * 1024 * 1024);
  expect(readHistoryBytes("0")).toBe(Number.POSITIVE_INFINITY);
  expect(() => readHistoryBytes("much")).toThrow("TREADLE_HISTORY_MB");
});
