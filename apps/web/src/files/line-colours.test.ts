import { expect, it } from "vitest";
import { splitLines } from "./line-colours.ts";

it("cuts coloured pieces at the ends of lines, also at several in a row", () => {
  const pieces = [{ text: "let", colour: "--k" }, { text: " b;" }, { text: "\n" }, { text: "\n" }];
  expect(splitLines([...pieces, { text: "c" }])).toEqual([pieces.slice(0, 2), [], [{ text: "c" }]]);
});
