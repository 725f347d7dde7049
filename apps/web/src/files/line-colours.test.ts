import { expect, it } from "vitest";
import { splitLines } from "./line-colours.ts";

it("splits coloured pieces at line ends, including several in a row", () => {
  const pieces = [{ text: "let", colour: "--k" }, { text: " b;" }, { text: "\n" }, { text: "\n" }];
  expect(splitLines([...pieces, { text: "c" }])).toEqual([pieces.slice(0, 2), [], [{ text: "c" }]]);
});
