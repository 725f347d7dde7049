import { expect, it } from "vitest";
import { linePieces, linesOfPieces } from "./line-pieces.ts";

it("splits a line where its colour changes and where a difference begins or ends", () => {
  const coloured = [{ text: "const", colour: "--k" }, { text: " a = 1" }];
  expect(linePieces("const a = 1", coloured, [[3, 7]])).toEqual([
    { text: "con", colour: "--k", marked: false },
    { text: "st", colour: "--k", marked: true },
    { text: " a", colour: undefined, marked: true },
    { text: " = 1", colour: undefined, marked: false },
  ]);
});

it("draws a line without colours if they belong to another text", () => {
  expect(linePieces("now", [{ text: "before", colour: "--k" }])).toEqual([
    { text: "now", colour: undefined, marked: false },
  ]);
});

it("splits coloured code into its lines", () => {
  expect(linesOfPieces([{ text: "a" }, { text: "\n" }, { text: "/*\n*/", colour: "--q" }])).toEqual(
    [
      [{ text: "a", colour: undefined }],
      [{ text: "/*", colour: "--q" }],
      [{ text: "*/", colour: "--q" }],
    ],
  );
});
