import { expect, it } from "vitest";
import { logBeyond } from "./log-beyond.ts";

it("a log does not repeat what is shown above it", () => {
  const problem = { code: "http" as const, message: "It refuses.", tried: "Called.", next: "Try." };
  expect(logBeyond({ log: "It refuses.\nIt refuses.\n", problem })).toBe("");
  expect(logBeyond({ log: "Began.\nIt refuses.\n", problem })).toBe("Began.");
  expect(logBeyond({ log: "It refuses.\n" })).toBe("It refuses.\n");
});
