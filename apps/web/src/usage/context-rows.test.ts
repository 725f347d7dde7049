import { expect, it } from "vitest";
import { contextRows } from "./context-rows.ts";

it("names each kind that a request held, in one order, with its part of the whole", () => {
  const { total, rows } = contextRows({ parts: { files: 300, prompt: 600, conversation: 100 } });
  expect(total).toBe(1_000);
  expect(rows.map(({ kind, part }) => [kind, part])).toEqual([
    ["prompt", 0.6],
    ["files", 0.3],
    ["conversation", 0.1],
  ]);
});

it("has no rows where nothing is known", () => {
  expect(contextRows({ parts: {} })).toEqual({ total: 0, rows: [] });
});
