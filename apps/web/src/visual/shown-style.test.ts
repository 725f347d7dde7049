import { expect, it } from "vitest";
import { shownStyle } from "./shown-style.ts";

const styleOf = (value: string) => ({
  here: false,
  file: "a.css",
  inline: undefined,
  selector: ".a",
  value,
  reach: 1,
});

it("a width is shown as written, with its computed value", () => {
  expect(shownStyle("width", { value: "482.5px", by: undefined })).toEqual({
    shown: "auto",
    used: "482.5px",
  });
  expect(shownStyle("width", { value: "600px", by: styleOf("100%") })).toEqual({
    shown: "100%",
    used: "600px",
  });
  // Something limits its width.
  expect(shownStyle("width", { value: "320px", by: styleOf("800px") })).toEqual({
    shown: "800px",
    used: "320px",
  });
  expect(shownStyle("width", { value: "320px", by: styleOf("320px") })).toEqual({ shown: "320px" });
  // An inline element has no width.
  expect(shownStyle("width", { value: "auto", by: undefined })).toEqual({ shown: "auto" });
});

it("any other value is shown as written, or as computed by the page", () => {
  expect(shownStyle("color", { value: "rgb(1, 2, 3)", by: styleOf("var(--ink)") })).toEqual({
    shown: "var(--ink)",
  });
  expect(shownStyle("background-color", { value: "rgba(0, 0, 0, 0)", by: undefined })).toEqual({
    shown: "transparent",
  });
});
