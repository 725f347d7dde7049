import { describe, expect, it } from "vitest";
import { parseChecks } from "./parse-checks.ts";
import { parseStep } from "./parse-step.ts";

describe("a file of acceptance checks", () => {
  it("holds a check under each heading, a step in each item, and words for people", () => {
    const text = `# What this app must do

Run before each verdict.

## Adds a task and keeps it
1. type "Milk" in textbox "What needs doing?"
2. press Enter
3. expect "Milk"

It is in localStorage.
- reload
- expect \`listitem "Milk"\`

## Counts
- expect heading "Tasks" to say "1 left"
`;
    expect(parseChecks(text)).toEqual({
      checks: [
        {
          name: "Adds a task and keeps it",
          steps: [
            { do: "type", text: "Milk", on: 'textbox "What needs doing?"' },
            { do: "press", text: "Enter" },
            { do: "expect", on: "Milk" },
            { do: "reload" },
            { do: "expect", on: 'listitem "Milk"' },
          ],
        },
        { name: "Counts", steps: [{ do: "expect", on: 'heading "Tasks"', text: "1 left" }] },
      ],
      byHand: false,
      problems: [],
    });
  });

  it("may ask to be run by hand only", () => {
    expect(parseChecks("run: by hand\n\n## A\n- reload").byHand).toBe(true);
    expect(parseChecks("## A\n- reload\n\nrun: by hand").byHand).toBe(false);
  });

  it("says with its line what is no step, and which check has none", () => {
    const { checks, problems } = parseChecks("## A\n- fly to the moon\r\n- reload\n## B\n");
    expect(checks).toEqual([{ name: "A", steps: [{ do: "reload" }] }]);
    expect(problems).toEqual([
      expect.stringMatching(/^line 2: “fly to the moon” is no step: .*expect no$/),
      "the check “B” has no steps",
    ]);
  });

  it("has limits, and says where they were passed", () => {
    const many = Array.from({ length: 31 }, (_, n) => `## ${n}\n- reload`).join("\n");
    expect(parseChecks(many).checks).toHaveLength(30);
    expect(parseChecks(many).problems).toEqual(["31 checks; 30 is the most"]);
    const long = parseChecks(`## A\n${"- reload\n".repeat(60)}`);
    expect(long.checks[0]?.steps).toHaveLength(40);
    expect(long.problems[0]).toBe("line 42: a check has 40 steps at most");
  });

  it("takes no text for steps that stands in a fence", () => {
    expect(parseChecks("## A\n```\n- nonsense\n## B\n```\n- reload")).toMatchObject({
      checks: [{ name: "A" }],
      problems: [],
    });
  });
});

it.each([
  ['click button "Add"', { do: "click", on: 'button "Add"' }],
  ["click on “Add”", { do: "click", on: "Add" }],
  ["Click Add.", { do: "click", on: "Add" }],
  ['type "a b" into Name', { do: "type", text: "a b", on: "Name" }],
  ['type "" in Name', { do: "type", text: "", on: "Name" }],
  ['select "Blue" in "Colour"', { do: "select", text: "Blue", on: "Colour" }],
  ["press Escape in dialog", { do: "press", text: "Escape", on: "dialog" }],
  ["wait for Loaded", { do: "wait", on: "Loaded" }],
  ["see no “Milk”", { do: "expect_gone", on: "Milk" }],
  ['expect textbox "Name" to say ""', { do: "expect", on: 'textbox "Name"', text: "" }],
  ["open /about?x=1", { do: "open", text: "/about?x=1" }],
  ["expect css=.done", { do: "expect", on: "css=.done" }],
])("reads the step %s", (words, step) => {
  expect(parseStep(words)).toEqual(step);
});

it.each([
  'expect no "Emma" in list "Books"',
  'expect "Came late" in listitem "Solaris"',
  'click button "Delete" in listitem "Solaris"',
])("a thing within another is refused, not looked for under one name: %s", (step) => {
  const { checks, problems } = parseChecks(`## Books\n- ${step}\n`);
  expect([checks, problems.length]).toEqual([[], 2]);
});

it.each([
  'type "Milk" in textbox "Task"',
  'select "By name" in combobox "Sort"',
  'expect listitem "Milk in bottles"',
  'click css=li:has-text("Solaris") in',
])("what is put into something, and a name with “in” in it, are steps: %s", (step) => {
  expect(parseChecks(`## Books\n- ${step}\n`).problems).toEqual([]);
});
