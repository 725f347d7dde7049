import { expect, it } from "vitest";
import { highlight } from "./highlight.ts";

it("colours code, loses none of it, and leaves what it does not know", async () => {
  const code = 'const a = "b"; // c\n\nreturn 1;\n';
  const pieces = (await highlight(code, "typescript"))!;
  expect(pieces.map(({ text }) => text).join("")).toBe(code);
  expect(pieces).toContainEqual({ text: '"b"', colour: "--syntax-string" });
  expect(pieces).toContainEqual({ text: "const", colour: "--syntax-keyword" });
  expect(await highlight(code, "brainfuck")).toBeUndefined();
  expect(await highlight(code, "__proto__")).toBeUndefined();
});
