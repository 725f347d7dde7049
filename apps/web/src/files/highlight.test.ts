import { expect, it } from "vitest";
import { createHighlighter, highlight } from "./highlight.ts";

it("colours all of the code, in order", async () => {
  const code = "const a = 1;\nlet b;";
  const pieces = (await highlight(code, "ts"))!;
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  expect(pieces.find(({ text }) => text === "const")?.colour).toBeDefined();
  expect(await highlight(code, "klingon")).toBeUndefined();
});

it("colours a growing text in time proportional to its length", async () => {
  const piece = "function add(list, task) {\n  return [...list, `${task} \\n`]; // one more\n}\n";
  const grow = async (pieces: number) => {
    const highlighter = (await createHighlighter("ts"))!;
    let [text, coloured] = ["", ""];
    const start = performance.now();
    for (let count = 0; count < pieces; count++) {
      const from = text.length;
      text += piece;
      const added = (await highlighter.highlight(text, from))!;
      expect(added.find((one) => one.text === "function")?.colour).toBeDefined();
      coloured += added.map((one) => one.text).join("");
    }
    expect(coloured).toBe(text);
    return performance.now() - start;
  };
  await grow(50);
  const [few, many] = [await grow(150), await grow(600)];
  expect(many / few).toBeLessThan(10);
});

it("A167 gives up on code that takes too long, without blocking the page", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const pieces = await highlight("<".repeat(20_000), "html");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  if (pieces) expect(pieces.map(({ text }) => text).join("")).toBe("<".repeat(20_000));
});
