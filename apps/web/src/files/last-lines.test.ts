import { expect, it } from "vitest";
import { LastLines, shownLine } from "./last-lines.ts";

it("a streamed text is shown by its last lines, which keep their numbers and positions", () => {
  const lines = new LastLines(3);
  for (const piece of ["one", " and", " a half\ntw", "o\n", "three\nfour\nfi"]) lines.append(piece);
  expect(lines.lines).toEqual([
    { number: 3, start: 19, text: "three" },
    { number: 4, start: 25, text: "four" },
    { number: 5, start: 30, text: "fi" },
  ]);
  lines.append("ve\n");
  expect(lines.lines.map(({ number, text }) => `${number} ${text}`)).toEqual([
    "4 four",
    "5 five",
    "6 ",
  ]);
});

it("one piece with many lines, or an endless line, costs only what is visible", () => {
  const lines = new LastLines(2);
  lines.append("a\n".repeat(50_000));
  lines.append("x".repeat(100_000));
  expect(lines.lines.map(({ number }) => number)).toEqual([50_000, 50_001]);
  expect(shownLine(lines.lines[1]!.text)).toHaveLength(500);
});

it("neutralises characters that reverse text", () => {
  expect(shownLine("if (a) {\u202e } // {")).toBe("if (a) {\\u{202e} } // {");
});
