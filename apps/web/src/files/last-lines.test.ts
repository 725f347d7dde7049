import { expect, it } from "vitest";
import { LastLines } from "./last-lines.ts";

it("a text that comes in pieces is shown by its last lines, which keep their numbers", () => {
  const lines = new LastLines(3);
  for (const piece of ["one", " and", " a half\ntw", "o\n", "three\nfour\nfi"]) lines.append(piece);
  expect(lines.drawn()).toEqual({ text: "three\nfour\nfi", numbers: "3\n4\n5" });
  lines.append("ve\n");
  expect(lines.drawn()).toEqual({ text: "four\nfive\n", numbers: "4\n5\n6" });
});

it("one piece of many lines, and one line without an end, cost what is seen of them", () => {
  const lines = new LastLines(2);
  lines.append("a\n".repeat(50_000));
  lines.append("x".repeat(100_000));
  const { text, numbers } = lines.drawn();
  expect([text.length, numbers]).toEqual([502, "50000\n50001"]);
});

it("nothing in it turns the text around", () => {
  const lines = new LastLines(2);
  lines.append("if (a) {\u202e } // {");
  expect(lines.drawn().text).toBe("if (a) {\\u{202e} } // {");
});
