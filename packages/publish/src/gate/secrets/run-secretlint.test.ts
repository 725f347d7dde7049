import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { runSecretlint } from "./run-secretlint.ts";

it("leaves nothing in memory after a file was searched", async () => {
  const marks = () => performance.getEntries().filter(({ entryType }) => entryType === "mark");
  const before = marks().length;
  const found = await runSecretlint({ path: "a.txt", text: "nothing of interest" }, 10);
  expect(found).toEqual([]);
  expect(marks()).toHaveLength(before);
});
