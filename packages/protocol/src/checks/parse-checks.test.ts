import { describe, expect, it } from "vitest";
import { parseChecks } from "./parse-checks.ts";
import { problemWords } from "./problems.ts";

describe("a file of acceptance checks", () => {
  it("has a check under each heading, a step in each item, and text for people", () => {
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
      beforeEach: [],
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
      startsFrom: "person",
      problems: [],
    });
  });

  it("may declare that it runs by hand only", () => {
    expect(parseChecks("run: by hand\n\n## A\n- reload").byHand).toBe(true);
    expect(parseChecks("## A\n- reload\n\nrun: by hand").byHand).toBe(false);
  });

  it("reports invalid steps with their lines, and checks without steps", () => {
    const { checks, problems } = parseChecks("## A\n- fly to the moon\r\n- reload\n## B\n");
    expect(checks).toEqual([{ name: "A", steps: [{ do: "reload" }] }]);
    expect(problems).toMatchObject([
      { code: "unknown-form", line: 2, words: "fly to the moon" },
      { code: "no-steps", name: "B" },
    ]);
    expect(problemWords(problems[0]!)).toMatch(/^line 2: “fly to the moon” is no step/);
  });

  it("has limits, and reports where they are exceeded", () => {
    const many = Array.from({ length: 31 }, (_, n) => `## ${n}\n- reload`).join("\n");
    expect(parseChecks(many).checks).toHaveLength(30);
    expect(parseChecks(many).problems).toEqual([{ code: "too-many-checks", count: 31, most: 30 }]);
    const long = parseChecks(`## A\n${"- reload\n".repeat(60)}`);
    expect(long.checks[0]?.steps).toHaveLength(40);
    expect(long.problems).toEqual([{ code: "too-many-steps", line: 42, most: 40 }]);
  });

  it("has steps that run before each check, and are no check", () => {
    const { checks, problems } = parseChecks(
      '## Before each\n- open /login\n- click "Sign in"\n## A\n- on 2026-03-01\n- reload\n## B\n- expect "x"',
    );
    expect(problems).toEqual([]);
    expect(checks).toEqual([
      {
        name: "A",
        own: 1,
        steps: [
          { do: "date", text: "2026-03-01" },
          { do: "open", text: "/login" },
          { do: "click", on: "Sign in" },
          { do: "reload" },
        ],
      },
      {
        name: "B",
        own: 1,
        steps: [
          { do: "open", text: "/login" },
          { do: "click", on: "Sign in" },
          { do: "expect", on: "x" },
        ],
      },
    ]);
  });

  it("may declare that its checks start without data", () => {
    expect(parseChecks("## Starts empty\n- reload\n## A\n- reload").problems).toEqual([
      { code: "no-check", line: 2, words: "reload" },
    ]);
    expect(parseChecks("## Starts empty\n\n## A\n- reload")).toMatchObject({
      startsFrom: "empty",
      checks: [{ name: "A" }],
      problems: [],
    });
  });

  it("names who does the following steps, until someone else does or the check ends", () => {
    const { checks, problems } = parseChecks(
      '## A\n- reload\n- as "second":\n- click "Join"\n- as "third": reload\n- expect "In"\n- as "first":\n- reload\n## B\n- reload',
    );
    expect(problems).toEqual([]);
    expect(checks.map(({ steps }) => steps.map(({ as = "first" }) => as))).toEqual([
      ["first", "second", "third", "second", "first"],
      ["first"],
    ]);
    const crowd = [2, 3, 4].map((n) => `- as "${n}": reload\n`).join("");
    expect(parseChecks(`## A\n${crowd}`).problems).toEqual([
      { code: "too-many-persons", line: 4, most: 3 },
    ]);
  });

  it("allows a day only at the start, where the app's server can begin with it", () => {
    expect(parseChecks("## A\n- at 390x844\n- on 2026-03-01\n- reload").problems).toEqual([]);
    expect(parseChecks("## A\n- reload\n- on 2026-03-01").problems).toMatchObject([
      { code: "not-first", line: 3 },
    ]);
  });

  it("ignores text in code fences", () => {
    expect(parseChecks("## A\n```\n- nonsense\n## B\n```\n- reload")).toMatchObject({
      checks: [{ name: "A" }],
      problems: [],
    });
  });
});
