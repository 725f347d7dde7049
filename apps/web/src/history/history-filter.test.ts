import { expect, it } from "vitest";
import { NO_FILTER, passesFilter } from "./history-filter.tsx";

const line = { title: "Add eggs", note: "After the checks", by: { model: "openai:gpt" } };

it("shows checkpoints whose request, label or author contain every word, in any case and order", () => {
  const passes = (text: string) => passesFilter(line, undefined, { ...NO_FILTER, text });
  expect(["", " ", "EGGS add", "checks", "gpt eggs"].map(passes)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(passes("eggs milk")).toBe(false);
});

it("shows only checkpoints with the selected verdict", () => {
  const passes = (verdict: "failed" | "verified" | undefined) =>
    passesFilter(line, verdict, { text: "eggs", verdict: "failed" });
  expect([passes("failed"), passes("verified"), passes(undefined)]).toEqual([true, false, false]);
});
