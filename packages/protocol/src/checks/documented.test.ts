import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stepExamples } from "./forms.ts";

it("the documentation contains every form of a step", () => {
  const page = readFileSync(new URL("../../../../docs/checks.md", import.meta.url), "utf8");
  expect(stepExamples().filter((example) => !page.includes(`\`${example}\``))).toEqual([]);
});
