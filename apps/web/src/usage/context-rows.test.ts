import { expect, it } from "vitest";
import { contextRows } from "./context-rows.ts";

it("lists each kind of content in a request, in a fixed order, with its share", () => {
  const { total, rows } = contextRows({ parts: { files: 300, prompt: 600, conversation: 100 } });
  expect(total).toBe(1_000);
  expect(rows.map(({ kind, part }) => [kind, part])).toEqual([
    ["prompt", 0.6],
    ["files", 0.3],
    ["conversation", 0.1],
  ]);
});

it("has no rows if nothing is known", () => {
  expect(contextRows({ parts: {} })).toEqual({ total: 0, rows: [] });
});
