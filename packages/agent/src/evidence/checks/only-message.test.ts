import { parseChecks } from "../../checks/parse-checks.ts";
import { describe, expect, it } from "vitest";
import type { PlacedTry } from "./check-places.ts";
import { mayOnlySay, onlySays } from "./only-message.ts";

const check = (...steps: string[]) =>
  parseChecks(`## One\n${steps.map((step) => `- ${step}`).join("\n")}\n`).checks[0]!;

const TYPES = ['type "Milk" in textbox "Note"', 'click button "Save"'];

describe("a check of a form", () => {
  it.each([
    ["expects a message alone", [...TYPES, 'expect "Saved"'], true],
    ["expects what it typed as well", [...TYPES, 'expect "Saved"', 'expect "Milk"'], false],
    ["expects an address", [...TYPES, "expect address /notes"], false],
    ["types nothing", ['click button "Save"', 'expect "Saved"'], false],
    ["has a second person", [...TYPES, 'as "second": expect "Saved"'], false],
  ])("may only see a message if it %s", (_, steps, expected) => {
    expect(mayOnlySay(check(...steps))).toBe(expected);
  });

  const FORM = '- heading "Notes"\n- textbox "Note": Milk\n- button "Save" [active]';
  const tried = (outlineBefore: string, outline: string, more: object = {}): PlacedTry => ({
    state: "held",
    steps: [],
    wrote: false,
    used: { outline, outlineBefore, keepsOther: false },
    ...more,
  });
  const EMPTIED = FORM.replace(": Milk", "").replace(" [active]", "");

  it.each([
    ["a line", `${EMPTIED}\n- status: Saved`],
    ["what is in it", `${EMPTIED}\n- status:\n  - paragraph: Saved\n  - button "Close"`],
  ])("recognises that only a message is new: %s", (_, outline) => {
    expect(onlySays(tried(`${FORM}\n- status`, outline))).toBe(true);
  });

  it.each([
    ["more of the page is new", tried(FORM, `${FORM}\n- status: Saved\n- listitem: 1 note`)],
    ["nothing is said", tried(FORM, EMPTIED)],
    ["the message stands in the page itself", tried(FORM, `${FORM}\n- paragraph: Too long`)],
    ["its server kept something", tried(FORM, `${FORM}\n- status: Saved`, { wrote: true })],
    ["that is not known", tried(FORM, `${FORM}\n- status: Saved`, { wrote: undefined })],
    [
      "its browser kept something",
      tried(FORM, "", {
        used: { outlineBefore: FORM, outline: `${FORM}\n- status: Saved`, keepsOther: true },
      }),
    ],
  ])("sees more where %s", (_, outcome) => {
    expect(onlySays(outcome)).toBe(false);
  });
});
