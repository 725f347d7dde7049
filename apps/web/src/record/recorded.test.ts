import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRecorded, addWords, isStep, type RecordedStep } from "./recorded-steps.ts";
import { readRecordMessage, type Recorded } from "./recorded.ts";
import { withCheck } from "../checks/append-check.ts";

const TASK = { role: "textbox", name: "Task" };
const done = (act: Recorded["do"], target?: Recorded["target"], text = ""): Recorded => ({
  do: act,
  target: target || undefined,
  text,
  isSecret: false,
});
const wordsOf = (...acts: Recorded[]) =>
  acts.reduce<RecordedStep[]>(addRecorded, []).map(({ words }) => words);

describe("a user's actions as steps of a check", () => {
  it("contain the text typed into a field once, and a following Enter without the field", () => {
    expect(
      wordsOf(
        done("type", TASK, "M"),
        done("type", TASK, "Milk"),
        done("press", TASK, "Enter"),
        done("press", TASK, "Enter"),
        done("type", TASK, "Bread"),
      ),
    ).toEqual([
      'type "Milk" in textbox "Task"',
      "press Enter",
      'press Enter in textbox "Task"',
      'type "Bread" in textbox "Task"',
    ]);
  });

  it("name each kind of element so that a check finds it", () => {
    expect(
      wordsOf(
        done("click", { role: "button", name: "Add" }),
        done("click", { words: "Menu" }),
        done("click", { css: "#box > div" }),
        done("select", { role: "combobox", name: "Colour" }, "Blue"),
        done("expect", { ...TASK, text: "Milk" }),
        done("expect", { words: 'He said "no"' }),
      ),
    ).toEqual([
      'click button "Add"',
      'click "Menu"',
      "click css=#box > div",
      'select "Blue" in combobox "Colour"',
      'expect textbox "Task" to say "Milk"',
      'expect "He said \\"no\\""',
    ]);
  });

  it("end in {new} where a typed text is expected later, because the app has that text by now", () => {
    const type = done("type", TASK, "Milk");
    expect(
      wordsOf(
        type,
        done("type", { role: "textbox", name: "Guest" }, "Ada (C+)"),
        done("type", { role: "spinbutton", name: "Amount" }, "3"),
        done("type", { role: "textbox", name: "Mail" }, "a@b.example"),
        done("click", { role: "button", name: "Add" }),
        done("expect", { words: "Milk is bought by Ada (C+)" }),
        done("expect", { words: "Milkshake" }),
        done("expect", { role: "cell", name: "3", within: { role: "row", name: "Milk 3" } }),
        done("expect", { words: "a@b.example" }),
      ),
    ).toEqual([
      'type "Milk {new}" in textbox "Task"',
      'type "Ada (C+) {new}" in textbox "Guest"',
      'type "3" in spinbutton "Amount"',
      'type "a@b.example" in textbox "Mail"',
      'click button "Add"',
      'expect "Milk {new} is bought by Ada (C+) {new}"',
      'expect "Milkshake"',
      'expect cell "3" in row "Milk {new} 3"',
      'expect "a@b.example"',
    ]);
    expect(wordsOf(type, done("expect", { ...TASK, text: "" }))[0]).toBe(
      'type "Milk" in textbox "Task"',
    );
  });

  it("use {new} in place of a password, and keep the typed text separately", () => {
    const secret = { ...done("type", { role: "textbox", name: "Password" }, "hunter2") };
    const [step] = addRecorded([], { ...secret, isSecret: true });
    expect(step?.words).toBe('type "{new}" in textbox "Password"');
    expect(step?.secretWords).toBe('type "hunter2" in textbox "Password"');
  });

  it.each([
    ['click button "Add"', true],
    ['expect “He said "no"”', true],
    ["wave at it", false],
    ["", false],
    ["reload\n- open /other", false],
  ])("say whether a check can have the step %j", (words, isOne) => {
    expect(isStep(words)).toBe(isOne);
  });

  it("are at most 40", () => {
    let steps: RecordedStep[] = [];
    for (let count = 0; count < 50; count++) steps = addWords(steps, "reload");
    expect(addRecorded(steps, done("click", TASK))).toHaveLength(40);
  });
});

const anyText = fc.string({ maxLength: 200, unit: "grapheme" });
it("are always valid, whatever the app calls its elements", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (name, text, css) => {
      for (const target of [{ role: "button", name }, { words: name }, { css }])
        for (const act of ["click", "type", "select", "expect"]) {
          const data = { type: "treadle:recorded", step: { do: act, target, text } };
          const message = readRecordMessage(data);
          if (message?.type !== "recorded") continue;
          const [step] = addRecorded([], message.step);
          expect([step!.words, isStep(step!.words)]).toEqual([expect.any(String), true]);
        }
    }),
  );
});

describe("a message of the page", () => {
  it("is rejected or parsed, and never throws", () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        readRecordMessage(data);
        readRecordMessage({ type: "treadle:recorded", step: data });
        readRecordMessage({ type: "treadle:recorded", step: { do: "click", target: data } });
      }),
    );
  });

  it("is shortened to one line", () => {
    const step = { do: "click", target: { role: "button", name: `a\n- click ${"x".repeat(500)}` } };
    const message = readRecordMessage({ type: "treadle:recorded", step });
    expect(message).toMatchObject({
      step: { target: { name: expect.stringMatching(/^a - click x{1,80}$/) } },
    });
  });

  it.each([
    { do: "delete", target: TASK },
    { do: "click" },
    { do: "click", target: { role: "Bad role", name: "x" } },
    { do: "press", text: "Enter\n- open /x" },
    { do: "press", text: "" },
  ])("is rejected if it is not a step: %j", (step) => {
    expect(readRecordMessage({ type: "treadle:recorded", step })).toBeUndefined();
  });
});

describe("the checks file", () => {
  const BODY = '- open /\n- expect "Milk"';

  it("gets the check at its end, and nothing else changes", () => {
    const before = "# Mine\n\nrun: by hand\n\n## One\n- open /";
    expect(withCheck(before, "Two", BODY)).toBe(`${before}\n\n## Two\n- open /\n- expect "Milk"\n`);
    expect(withCheck("## One\r\n- open /\r\n", "Two", "- reload")).toBe(
      "## One\r\n- open /\r\n\r\n## Two\r\n- reload\r\n",
    );
  });

  it("is created if it does not exist", () => {
    expect(withCheck(undefined, "One", BODY)).toMatch(
      /^# .*\n\n## One\n- open \/\n- expect "Milk"\n$/s,
    );
  });

  it("rejects a second check of the same name, and one that would be in an open code block", () => {
    expect(withCheck("## Adds Milk\n- open /\n", "adds milk", BODY)).toEqual({
      refused: "same-name",
    });
    expect(withCheck("```\n## Old\n", "New", BODY)).toEqual({ refused: "not-read" });
  });
});
