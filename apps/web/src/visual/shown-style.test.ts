import { expect, it } from "vitest";
import { shownStyle } from "./shown-style.ts";

const said = (value: string) => ({
  here: false,
  file: "a.css",
  inline: undefined,
  selector: ".a",
  value,
  reach: 1,
});

it("a width is shown as it is written, with what it came to", () => {
  expect(shownStyle("width", { value: "482.5px", by: undefined })).toEqual({
    said: "auto",
    used: "482.5px",
  });
  expect(shownStyle("width", { value: "600px", by: said("100%") })).toEqual({
    said: "100%",
    used: "600px",
  });
  // Something holds it to its bounds.
  expect(shownStyle("width", { value: "320px", by: said("800px") })).toEqual({
    said: "800px",
    used: "320px",
  });
  expect(shownStyle("width", { value: "320px", by: said("320px") })).toEqual({ said: "320px" });
  // An element within a line has none.
  expect(shownStyle("width", { value: "auto", by: undefined })).toEqual({ said: "auto" });
});

it("anything else is shown as it is written, or as the page has it", () => {
  expect(shownStyle("color", { value: "rgb(1, 2, 3)", by: said("var(--ink)") })).toEqual({
    said: "var(--ink)",
  });
  expect(shownStyle("background-color", { value: "rgba(0, 0, 0, 0)", by: undefined })).toEqual({
    said: "transparent",
  });
});
