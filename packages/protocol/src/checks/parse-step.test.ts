import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STEP_FORMS } from "./forms.ts";
import { parseStep, parseSteps } from "./parse-step.ts";
import { ROLES } from "./roles.ts";
import { stepWords } from "./step-words.ts";
import { writeTarget, type Target } from "./target.ts";
import { PAGE_STATES, type PageStep } from "./types.ts";

const stepOf = (words: string) => {
  const parsed = parseStep(words);
  return parsed.kind === "step" ? parsed.step : parsed;
};

it.each<[string, PageStep]>([
  ['click button "Add"', { do: "click", on: 'button "Add"' }],
  ["click on “Add”", { do: "click", on: "Add" }],
  ["Click Add.", { do: "click", on: "Add" }],
  ["click Sign in", { do: "click", on: "Sign in" }],
  ['click the "Add" button', { do: "click", on: 'button "Add"' }],
  ['click the button "Add"', { do: "click", on: 'button "Add"' }],
  ["click 'Add'", { do: "click", on: "Add" }],
  ['`click` `button "Add"`', { do: "click", on: 'button "Add"' }],
  ['click button "Say \\"hi\\""', { do: "click", on: 'button "Say \\"hi\\""' }],
  ['type "a b" into Name', { do: "type", text: "a b", on: "Name" }],
  ['type "" in Name', { do: "type", text: "", on: "Name" }],
  ["type 「牛乳」 in 「品名」", { do: "type", text: "牛乳", on: "品名" }],
  ['select "Blue" in "Colour"', { do: "select", text: "Blue", on: "Colour" }],
  ["press Escape in dialog", { do: "press", text: "Escape", on: "dialog" }],
  ["press Control+A", { do: "press", text: "Control+A" }],
  ["wait for Loaded", { do: "wait", on: "Loaded" }],
  ["wait 2 seconds", { do: "pause", text: "2" }],
  ["see no “Milk”", { do: "expect_gone", on: "Milk" }],
  ["open /about?x=1", { do: "open", text: "/about?x=1" }],
  ["reload the page", { do: "reload" }],
  ["expect css=.done", { do: "expect", on: "css=.done" }],
  ['expect css=.done li to say "x"', { do: "expect", on: "css=.done li", text: "x" }],
  ['check checkbox "Milk"', { do: "check", on: 'checkbox "Milk"' }],
  ['hover link "Help"', { do: "hover", on: 'link "Help"' }],
  ['drag "Milk" to list "Done"', { do: "drag", on: "Milk", to: 'list "Done"' }],
  [
    'upload "a.csv" with "1,2" into button "Import"',
    { do: "upload", file: "a.csv", text: "1,2", on: 'button "Import"' },
  ],
  [
    'request POST /api/votes {"a": [1, "in"]}',
    { do: "request", method: "POST", text: "/api/votes", body: '{"a": [1, "in"]}' },
  ],
  ["request GET /api/votes", { do: "request", method: "GET", text: "/api/votes" }],
  ["at 390x844", { do: "size", text: "390x844" }],
  ["on 2026-03-01", { do: "date", text: "2026-03-01" }],
  ["on 2026-03-01 at 09:30", { do: "date", text: "2026-03-01T09:30" }],
  ["without network", { do: "offline" }],
  ["with network", { do: "online" }],
  ['as "second": click "Join"', { do: "click", on: "Join", as: "second" }],
])("parses an action: %s", (words, step) => {
  expect(stepOf(words)).toEqual(step);
});

it.each<[string, PageStep]>([
  [
    "expect page to have background linen",
    { do: "expect", on: "css=body", style: "background", text: "linen" },
  ],
  [
    "expect the page to have background linen",
    { do: "expect", on: "css=body", style: "background", text: "linen" },
  ],
  [
    "expect header to have background #1e40af",
    { do: "expect", on: "css=header", style: "background", text: "#1e40af" },
  ],
  [
    "expect body to have style color maroon",
    { do: "expect", on: "css=body", style: "color", text: "maroon" },
  ],
  ['expect h2 to say "Votes"', { do: "expect", on: "css=h2", text: "Votes" }],
  ['expect link "Home" in nav', { do: "expect", on: 'link "Home" in css=nav' }],
  ['expect "header" to be visible', { do: "expect", on: "header" }],
  ["expect page", { do: "expect", on: "page" }],
  ["expect Page to be visible", { do: "expect", on: "Page" }],
  ['expect textbox "Name" to say ""', { do: "expect", on: 'textbox "Name"', text: "" }],
  ['expect textbox "Name" to be empty', { do: "expect", on: 'textbox "Name"', text: "" }],
  ["expect 1 left", { do: "expect", on: "1 left" }],
  ["expect Total: 5", { do: "expect", on: "Total: 5" }],
  ['expect button "Add" to be visible', { do: "expect", on: 'button "Add"' }],
  ['expect dialog "Edit" to be hidden', { do: "expect_gone", on: 'dialog "Edit"' }],
  ['expect switch "Dark" [checked]', { do: "expect", on: 'switch "Dark"', is: ["checked"] }],
  ['expect switch "Dark" to be checked', { do: "expect", on: 'switch "Dark"', is: ["checked"] }],
  ['expect switch "Dark" not to be checked', { do: "expect", on: 'switch "Dark"', is: ["unchecked"] }], // prettier-ignore
  ['expect button "Save" is disabled', { do: "expect", on: 'button "Save"', is: ["disabled"] }],
  ['expect textbox "Subject" with "Hi"', { do: "expect", on: 'textbox "Subject"', text: "Hi" }],
  ['expect textbox "Subject": Hi there', { do: "expect", on: 'textbox "Subject"', text: "Hi there" }], // prettier-ignore
  ["expect listitem: Milk", { do: "expect", on: 'listitem "Milk"' }],
  ["expect text: Milk", { do: "expect", on: "Milk" }],
  ['expect heading "Tasks" [level=1]', { do: "expect", on: 'heading "Tasks" [level=1]' }],
  ["expect 3 listitem", { do: "expect", on: "listitem", count: 3 }],
  ["expect 3 listitems", { do: "expect", on: "listitem", count: 3 }],
  ['expect 2 checkbox [checked] in list "A"', { do: "expect", on: 'checkbox [checked] in list "A"', count: 2 }], // prettier-ignore
  ['expect 2 "Milk"', { do: "expect", on: "Milk", count: 2 }],
  ["expect no listitem", { do: "expect_gone", on: "listitem" }],
  ['expect no "Emma" in list "Books"', { do: "expect_gone", on: '"Emma" in list "Books"' }],
  ['expect "Late" in listitem "Solaris"', { do: "expect", on: '"Late" in listitem "Solaris"' }],
  ['expect cell "2" in row "Milk" in table "Stock" to say "2"', { do: "expect", on: 'cell "2" in row "Milk" in table "Stock"', text: "2" }], // prettier-ignore
  ['expect "A" to have style font-size 18px', { do: "expect", on: "A", style: "font-size", text: "18px" }], // prettier-ignore
  ["expect address /reports", { do: "expect_address", text: "/reports" }],
  ["expect status 201", { do: "expect_status", text: "201" }],
  ['expect body "saved"', { do: "expect_body", text: "saved" }],
  ['expect body {"a":1}', { do: "expect_body", body: '{"a":1}' }],
  ['expect no body "Emma"', { do: "expect_no_body", text: "Emma" }],
  ['expect a file "r.csv" with "Milk"', { do: "expect_file", file: "r.csv", text: "Milk" }],
  ["expect no console error", { do: "expect_console" }],
])("parses an expectation: %s", (words, step) => {
  expect(stepOf(words)).toEqual(step);
});

it("parses who does the following steps", () => {
  expect(parseStep('as "second":')).toEqual({ kind: "person", as: "second" });
  expect(parseStep("as first")).toEqual({ kind: "person", as: undefined });
});

describe("text that is no step", () => {
  it.each([
    "fly to the moon",
    "expect the list to be sorted",
    'expect "Milk" and "Bread"',
    "expect the total is 12",
    'click "Add" twice',
    "open settings",
    'type Milk in "Task"',
    "wait 2 hours",
    "wait 90 seconds",
    "at 39x84",
    "on 2026-02-31",
    'request FETCH "/api"',
    "expect status ok",
    'expect body {"a":',
    'expect css=tbody tr:first-child "Newer"',
    'expect button "Add" to be happy',
    "",
    "as",
  ])("is rejected: %s", (words) => {
    expect(parseStep(words)).toMatchObject({ kind: "problem", problem: { code: "unknown-form" } });
  });

  it("is answered with the most similar form", () => {
    const nearest = (words: string) => {
      const parsed = parseStep(words);
      return parsed.kind === "problem" && "nearest" in parsed.problem && parsed.problem.nearest;
    };
    expect(nearest('type Milk in "Task"')).toBe('type "Milk" in textbox "Task"');
    expect(nearest('drag "Milk" onto the floor "1"')).toContain("drag");
    expect(nearest('expect switch "A" to be switched on')).toContain("to be checked");
    expect(nearest('upload "a.csv"')).toContain("upload");
    expect(nearest("tick checkbox Milk in the list")).not.toContain("tick");
  });

  it("is answered with the unknown role or the unclosed quotation mark", () => {
    expect(parseStep('click knob "Add"')).toMatchObject({
      problem: { code: "unknown-role", role: "knob" },
    });
    expect(parseStep('click button "Add')).toMatchObject({ problem: { code: "open-quote" } });
  });

  it("is rejected if it sets the day after an action", () => {
    const late = parseSteps(["on 2026-03-04", "click button Add", "on 2026-03-05"]);
    expect(late.problem?.code).toBe("not-first");
    expect(late.steps).toHaveLength(2);
    expect(parseSteps(["at 390x844", "on 2026-03-04", "click button Add"]).problem).toBeUndefined();
  });

  it("is rejected if it is too long", () => {
    expect(parseStep("x".repeat(1_001))).toMatchObject({ problem: { code: "too-long" } });
  });
});

it("every example of every form is a step, and is printed as an equal one", () => {
  for (const example of STEP_FORMS.flatMap(({ examples }) => examples)) {
    const step = stepOf(example) as PageStep;
    expect([example, step]).toEqual([example, expect.objectContaining({ do: expect.anything() })]);
    expect([example, stepOf(stepWords(step))]).toEqual([example, step]);
  }
});

const text = fc.string({ maxLength: 20, unit: fc.constantFrom(..."abc in to \"'“”`\\.:[]{}é\n1") });
const named: fc.Arbitrary<Target> = fc.oneof(
  text.map((words) => ({ words })),
  fc.record({ role: fc.constantFrom(...ROLES), name: text }),
  fc.record({ role: fc.constantFrom(...ROLES) }),
  fc.constantFrom({ css: "css=.a > b" }, { css: "css=li:nth-child(2)" }),
);
const scope = named.filter(({ words }) => words === undefined);
const on = fc
  .oneof(
    named,
    fc.tuple(named, scope).map(([target, within]) => ({ ...target, within })),
  )
  .map(writeTarget);
const path = fc.constantFrom("/", "/a", "/a?b=c d", "/x/*");
const step: fc.Arbitrary<PageStep> = fc.oneof(
  fc.record({ do: fc.constantFrom("click" as const, "hover" as const, "wait" as const), on }),
  fc.record({ do: fc.constantFrom("type" as const, "select" as const), on, text }),
  fc.record({ do: fc.constant("drag" as const), on, to: on }),
  fc.record({ do: fc.constant("upload" as const), on, file: text, text }),
  fc.record({ do: fc.constant("press" as const), text: fc.constantFrom("a", "Enter", "+"), on }),
  fc.record({ do: fc.constant("open" as const), text: path }),
  fc.record({ do: fc.constant("expect_address" as const), text: path }),
  fc.record({ do: fc.constant("expect_body" as const), text }),
  fc.record({ do: fc.constant("expect_file" as const), file: text, text: text.filter(Boolean) }),
  fc.record({ do: fc.constant("request" as const), method: fc.constant("PUT"), text: path, body: fc.json().filter((body) => /^[[{]/.test(body)) }), // prettier-ignore
  fc.record({ do: fc.constantFrom("expect" as const, "expect_gone" as const), on, text }),
  fc.record({ do: fc.constant("expect" as const), on, count: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ do: fc.constant("expect" as const), on, style: fc.constant("color"), text: text.filter(Boolean) }), // prettier-ignore
  fc.record({ do: fc.constant("expect" as const), on: on.filter((target) => !target.includes("css=")), is: fc.uniqueArray(fc.constantFrom(...PAGE_STATES), { minLength: 1, maxLength: 2 }) }), // prettier-ignore
);

it("every printed step is parsed as itself, whoever does it", () => {
  fc.assert(
    fc.property(step, fc.option(fc.constant("second"), { nil: undefined }), (one, as) => {
      const step = as === undefined ? one : { ...one, as };
      expect(stepOf(stepWords(step))).toEqual(step);
    }),
    { numRuns: 2_000 },
  );
});

it("no text throws, and any is parsed in time", () => {
  const pieces = ["expect ", "click ", '"', "“", "'", "[", "in ", "to be ", "css=", "button ", ":", "`", "{", "é", " "]; // prettier-ignore
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 200 }),
      (all) => {
        // prettier-ignore
        const from = performance.now();
        parseStep(all.join("").slice(0, 1_000));
        expect(performance.now() - from).toBeLessThan(200);
      },
    ),
  );
});
