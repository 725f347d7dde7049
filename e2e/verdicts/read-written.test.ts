import { describe, expect, it } from "vitest";
import { APPS, OWN_CASES, isFalselyVerified, isRight, readCases, scriptOf } from "./cases.ts";
import { readWritten } from "./read-written.ts";

const TWO = `> For people.

## shop
want: proven
on: react
prompt: A shop.
asked: a basket -> Fills the basket

~~~file src/App.tsx
good
~~~

~~~file src/basket.ts
basket
~~~

## shop-potemkin
want: unproven
like: shop

~~~file src/App.tsx
bad
~~~

~~~file src/basket.ts
(gone)
~~~
`;

describe("cases written as Markdown", () => {
  it("make the model write each file, and contain the request", () => {
    const [shop] = readWritten(TWO, "two.md");
    expect(shop).toMatchObject({ name: "shop", want: "proven", prompt: "A shop." });
    expect(shop!.steps.map(({ calls }) => calls)).toEqual([
      [
        { name: "use_template", input: { template: "react" } },
        { name: "write_file", input: { path: "src/App.tsx", content: "good\n" } },
        { name: "write_file", input: { path: "src/basket.ts", content: "basket\n" } },
      ],
      [
        {
          name: "finish",
          input: expect.objectContaining({
            asked: [{ what: "a basket", check: "Fills the basket" }],
          }) as unknown,
        },
      ],
    ]);
  });

  it("inherit from an earlier one what they do not specify", () => {
    const [, potemkin] = readWritten(TWO, "two.md");
    expect(potemkin).toMatchObject({ name: "shop-potemkin", want: "unproven", prompt: "A shop." });
    expect(potemkin!.steps[0]!.calls.slice(1)).toEqual([
      { name: "write_file", input: { path: "src/App.tsx", content: "bad\n" } },
    ]);
  });

  it("can have further messages of the user", () => {
    const text = `## a
want: proven
prompt: First.
~~~file index.html
1
~~~

### then
want: runs
prompt: Second.
run: npm test
`;
    const [item] = readWritten(text, "turns.md");
    expect(item!.more).toMatchObject([
      {
        prompt: "Second.",
        want: "runs",
        steps: [{ calls: [{ name: "run_command", input: { command: "npm test" } }] }, {}],
      },
    ]);
    // The later message is answered by its own steps, although the earlier one is still in the conversation.
    expect(scriptOf(item!).steps.map(({ name }) => name)).toEqual([
      "step (2.1)",
      "step (2.2)",
      "after 2",
      "step (1.1)",
      "step (1.2)",
      "after 1",
    ]);
  });

  it.each([
    ["a line that says nothing", "## a\nwant: proven\nprompt: x\nnonsense\n", "a.md:4"],
    ["a case twice", "## a\nwant: proven\nprompt: x\n## a\n", "a.md:4"],
    ["a case like none", "## a\nlike: b\n", "a.md:2"],
    ["a file without an end", "## a\nwant: proven\nprompt: x\n~~~file b\n", "not closed"],
    ["a want that there is not", "## a\nwant: perfect\nprompt: x\n", "perfect"],
    ["none that is wanted", "## a\nprompt: x\n", "want"],
  ])("reject %s", (_, text, why) => {
    expect(() => readWritten(text, "a.md")).toThrow(why);
  });
});

it("an app that only looks as if it worked may run, but is never verified", () => {
  expect(isRight("unproven", { verdict: "runs", looked: true })).toBe(true);
  expect(isRight("unproven", { verdict: null, looked: false })).toBe(false);
  expect(isFalselyVerified("unproven", { verdict: "runs", looked: true })).toBe(false);
  expect(isFalselyVerified("unproven", { verdict: "verified", looked: true })).toBe(true);
});

it("there are 30 working apps, each with a variant that only looks as if it worked", () => {
  const apps = readCases(APPS)!;
  const honest = apps.filter(({ want }) => want === "proven").map(({ name }) => name);
  expect(honest).toHaveLength(30);
  expect(apps.filter(({ want }) => want === "unproven").map(({ name }) => name)).toEqual(
    honest.map((name) => `${name}-potemkin`),
  );
});

it("there are at least 60 cases in the repository", () => {
  expect(readCases(OWN_CASES)!.length).toBeGreaterThanOrEqual(60);
});
