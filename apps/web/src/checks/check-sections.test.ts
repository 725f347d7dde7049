import { expect, it } from "vitest";
import { checkSections, withoutSection, withSection } from "./check-sections.ts";

const FILE = `# What this app must do

## Before each
- open /

## Adds a task
- type "Milk" in textbox "Task"
- press Enter
- expect "Milk"

For people: as on paper.

## Opens ##
- expect heading "Tasks"
`;
const [adds, opens] = checkSections(FILE) as [never, never];

it("finds the checks of a file, each with everything below its heading", () => {
  expect(checkSections(FILE).map(({ name, body }) => [name, body])).toEqual([
    [
      "Adds a task",
      '- type "Milk" in textbox "Task"\n- press Enter\n- expect "Milk"\n\nFor people: as on paper.',
    ],
    ["Opens", '- expect heading "Tasks"'],
  ]);
  const fenced = "## One\n- open /\n```\n## No\n- open /\n```\n";
  expect(checkSections(fenced).map(({ name }) => name)).toEqual(["One"]);
});

it("removes one check and leaves everything else unchanged", () => {
  expect(withoutSection(FILE, adds)).toBe(
    FILE.slice(0, FILE.indexOf("## Adds")) + FILE.slice(FILE.indexOf("## Opens")),
  );
  expect(withoutSection(FILE, opens)).toBe(FILE.slice(0, FILE.indexOf("## Opens")));
});

it("changes one check, and keeps the file's line endings", () => {
  const next = { name: " Opens at once ", body: '- open /\n- expect "Tasks"\n' };
  const after = '## Opens at once\n- open /\n- expect "Tasks"\n';
  expect(withSection(FILE, opens, next)).toBe(FILE.slice(0, FILE.indexOf("## Opens")) + after);
  const dos = FILE.replaceAll("\n", "\r\n");
  const [first] = checkSections(dos);
  expect(withSection(dos, first!, { name: "Adds", body: '- open /\n- expect "Milk"' })).toContain(
    '## Adds\r\n- open /\r\n- expect "Milk"\r\n\r\n## Opens',
  );
});

it("rejects another check's name, invalid steps, and text that would begin another check", () => {
  const change = (name: string, body: string) => withSection(FILE, opens, { name, body });
  expect(change("adds a task", "- open /")).toEqual({ refused: "same-name" });
  expect(change("Opens", "- clicks it")).toEqual({ refused: "not-read" });
  expect(change("Opens", "")).toEqual({ refused: "not-read" });
  expect(change("Opens", "- open /\n## More\n- open /")).toEqual({ refused: "not-read" });
  expect(change("Before each", "- open /")).toEqual({ refused: "not-read" });
});
