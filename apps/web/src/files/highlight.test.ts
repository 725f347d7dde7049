import { expect, it } from "vitest";
import { highlight } from "./highlight.ts";

it("colours code, all of it and in its order", async () => {
  const code = "const a = 1;\nlet b;";
  const pieces = (await highlight(code, "ts"))!;
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  expect(pieces.find(({ text }) => text === "const")?.colour).toBeDefined();
  expect(await highlight(code, "klingon")).toBeUndefined();
});

it("A167 gives up code that takes too long, and lets the page go on meanwhile", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const pieces = await highlight("<".repeat(20_000), "html");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  if (pieces) expect(pieces.map(({ text }) => text).join("")).toBe("<".repeat(20_000));
});
