import { STEP_FORMS } from "@treadle/protocol/checks";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkMarks, stepExamples, templateOf, typedStep } from "./check-marks.ts";

const marked = (text: string) => checkMarks(text).map(({ from, to }) => text.slice(from, to));

it("marks the words of a step that is none, and names the nearest form", () => {
  const text = '# Mine\n\n## Adds\n- open /\n  - clicks button "Add"\n- expect "Milk"\n';
  expect(marked(text)).toEqual(['clicks button "Add"']);
  expect(checkMarks(text)[0]?.message).toContain('click button "Add"');
});

it("marks the heading of a check without steps", () => {
  expect(marked("## One\n\n## Two\n- reload\n")).toEqual(["One"]);
});

it("marks nothing in a file that can be read, nor in one without checks", () => {
  const text = `## All\n${STEP_FORMS.map(({ examples }) => `- ${examples[0]}\n`)
    .filter((line) => !line.startsWith("- on "))
    .join("")}`;
  expect(marked(text)).toEqual([]);
  expect(marked("Nothing here.\r\n")).toEqual([]);
});

it("marks within the text, whatever it is", () => {
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

it("offers each form where a step begins, its quoted texts as fields", () => {
  expect(typedStep("- cli")).toBe("cli");
  expect(typedStep("  2. ")).toBe("");
  expect(typedStep("Some words")).toBeUndefined();
  expect(stepExamples()).toContain("reload");
  expect(templateOf('click button "Add"')).toBe('click button "${Add}"');
  expect(templateOf('expect body {"a":1}')).toBe('expect body \\{"${a}":1\\}');
});
