import { tags } from "@lezer/highlight";
import { expect, it } from "vitest";
import { highlightClasses, highlightStyle } from "./highlight-style.ts";

it("A168 keeps the classes that colour code, and none that could make text cover the page", () => {
  const keyword = highlightStyle.style([tags.keyword])!;
  expect(highlightClasses(`fixed inset-0 ${keyword} z-50`)).toBe(keyword);
  expect(highlightClasses("fixed inset-0 z-50")).toBe("");
  expect(highlightClasses("cm-tooltip sr-only \u037c1 \u037c2")).toBe("");
});
