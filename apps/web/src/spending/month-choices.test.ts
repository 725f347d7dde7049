import { expect, it } from "vitest";
import { monthChoices } from "./month-choices.ts";

it("lists the latest twelve months in UTC, across a year, without a gap", () => {
  const months = monthChoices(Date.UTC(2026, 1, 28, 23, 59));
  expect(months.map(({ value }) => value).slice(0, 3)).toEqual(["2026-02", "2026-01", "2025-12"]);
  expect(months).toHaveLength(12);
  for (const [index, { from }] of months.entries())
    expect(months[index + 1]?.to ?? from).toBe(from);
});
