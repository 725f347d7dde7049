import { expect, it } from "vitest";
import { createMessageRate } from "./message-rate.ts";

it("accepts a normal page's messages, and a limited part of a flood (A87)", () => {
  let time = 0;
  const isAllowed = createMessageRate(() => time);
  const countAllowed = (count: number) =>
    Array.from({ length: count }, isAllowed).filter(Boolean).length;
  expect(countAllowed(100)).toBe(100);
  expect(countAllowed(100_000)).toBe(100);
  time += 1_000;
  expect(countAllowed(100_000)).toBe(50);
  time += 60_000;
  expect(countAllowed(150)).toBe(150);
});
