import { STEP_FORMS } from "@treadle/protocol/checks";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkMarks, stepExamples, templateOf, typedStep } from "./check-marks.ts";

const marked = (text: string) => checkMarks(text).map(({ from, to }) => text.slice(from, to));

it("marks the text of an invalid step, and suggests the nearest form", () => {
  const text = '# Mine\n\n## Adds\n- open /\n  - clicks button "Add"\n- expect "Milk"\n';
  expect(marked(text)).toEqual(['clicks button "Add"']);
  expect(checkMarks(text)[0]?.message).toContain('click button "Add"');
});

it("marks the heading of a check without steps", () => {
  expect(marked("## One\n\n## Two\n- reload\n")).toEqual(["One"]);
});

it("marks nothing in a valid file, or in one without checks", () => {
  const text = `## All\n${STEP_FORMS.map(({ examples }) => `- ${examples[0]}\n`)
    .filter((line) => !line.startsWith("- on "))
    .join("")}`;
  expect(marked(text)).toEqual([]);
  expect(marked("Nothing here.\r\n")).toEqual([]);
});

it("only marks ranges within the text, for any text", () => {
  const piece = fc.constantFrom(
    "## A",
    "- ",
    "- x",
    "\n",
    "\r\n",
    "```",
    '- click "',
    "1. y",
    "## ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      for (const { from, to } of checkMarks(text)) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});

it("suggests each form at the beginning of a step, with its quoted texts as fields", () => {
  expect(typedStep("- cli")).toBe("cli");
  expect(typedStep("  2. ")).toBe("");
  expect(typedStep("Some words")).toBeUndefined();
  expect(stepExamples()).toContain("reload");
  expect(templateOf('click button "Add"')).toBe('click button "${Add}"');
  expect(templateOf('expect body {"a":1}')).toBe('expect body \\{"${a}":1\\}');
});
