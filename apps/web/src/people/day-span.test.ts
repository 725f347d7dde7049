import { expect, it } from "vitest";
import { daySpan } from "./day-span.ts";

it("spans whole days, the last one included, over the end of a month", () => {
  expect(daySpan("2026-11-30", "2026-11-30")).toEqual({
    from: new Date(2026, 10, 30).getTime(),
    to: new Date(2026, 11, 1).getTime(),
  });
});

it("has no limit where no day is given", () => {
  expect(daySpan("", "")).toEqual({});
});
