import { expect, it } from "vitest";
import { namesFor, namesOf, usesTailwind } from "./tailwind.ts";

it.each([
  ["padding", "16px", ["p-4"]],
  ["padding", "6px 12px", ["py-1.5", "px-3"]],
  ["padding", "1px 2px 3px 4px", ["pt-[1px]", "pr-0.5", "pb-[3px]", "pl-1"]],
  ["margin", "0 auto", ["my-0", "mx-auto"]],
  ["font-size", "18px", ["text-lg"]],
  ["font-size", "17px", ["text-[17px]"]],
  ["font-weight", "600", ["font-semibold"]],
  ["color", "#ff0000", ["text-[#ff0000]"]],
  ["border-radius", "6px", ["rounded-[6px]"]],
] as const)("%s of %s is expressed by %j", (property, value, names) => {
  expect(namesFor(property, value)).toEqual(names);
  expect(namesOf(property, names)).toEqual(names);
});

it("a name sets one property, and one with a variant for a state or a width sets none", () => {
  const names = ["text-red-500", "text-lg", "text-center", "md:p-4", "hover:text-blue-500", "p-2"];
  expect(namesOf("color", names)).toEqual(["text-red-500"]);
  expect(namesOf("font-size", names)).toEqual(["text-lg"]);
  expect(namesOf("text-align", names)).toEqual(["text-center"]);
  expect(namesOf("padding", names)).toEqual(["p-2"]);
});

it("a project uses them if its manifest or its page says so", () => {
  expect(usesTailwind(`{"devDependencies": {"@tailwindcss/vite": "4"}}`, "")).toBe(true);
  expect(usesTailwind("{}", `<script src="https://cdn.tailwindcss.com">`)).toBe(true);
  expect(usesTailwind(`{"name": "tailwindcss-notes"}`, "")).toBe(false);
});
