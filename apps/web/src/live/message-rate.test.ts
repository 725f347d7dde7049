import { expect, it } from "vitest";
import { createMessageRate } from "./message-rate.ts";

it("hears a page that says what pages say, and a bounded part of one that floods (A87)", () => {
  let time = 0;
  const mayCome = createMessageRate(() => time);
  const heard = (count: number) => Array.from({ length: count }, mayCome).filter(Boolean).length;
  expect(heard(100)).toBe(100);
  expect(heard(100_000)).toBe(100);
  time += 1_000;
  expect(heard(100_000)).toBe(50);
  time += 60_000;
  expect(heard(150)).toBe(150);
});
