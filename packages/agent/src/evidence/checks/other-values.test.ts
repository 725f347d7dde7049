import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { parseChecks } from "../../checks/parse-checks.ts";
import { isPrepared, otherTyped, otherValues, replaceAll } from "./other-values.ts";

const check = (...lines: string[]) =>
  parseChecks(`## It\n${lines.map((line) => `- ${line}`).join("\n")}`).checks[0]!;
const valuesOf = (...lines: string[]) =>
  Object.fromEntries(otherValues(check(...lines))?.values ?? []);

describe("another value", () => {
  it("replaces a word wherever the check names it, in the form of the first", () => {
    const other = otherValues(
      check(
        'type "Buy Milk" in "Task"',
        'click button "Add"',
        'expect listitem "Buy Milk"',
        'click "Remove Buy Milk"',
      ),
    )!;
    const value = other.values.get("Buy Milk")!;
    expect(value).toMatch(/^[A-Z][a-z]{2} [A-Z][a-z]{3}$/);
    expect(other.check.steps).toMatchObject([
      { text: value },
      { on: 'button "Add"' },
      { on: `listitem "${value}"` },
      { on: `Remove ${value}` },
    ]);
  });

  it("is an address for an address, and another word of the same other script", () => {
    const [mail] = Object.values(
      valuesOf('type "ada@x.org" in "E-mail"', 'expect "Signed in as ada@x.org"'),
    );
    expect(mail).toMatch(/^(?!ada)[a-z]{3}@x\.org$/);
    const [word] = Object.values(valuesOf('type "牛乳" in "Task"', 'expect "牛乳"'));
    expect(word).toBe("乳牛");
  });

  it("can be told from the check's other values, as the first values can", () => {
    const lines = (...texts: string[]) => [
      ...texts.map((text) => `type "${text}" in "Title"`),
      ...texts.map((text) => `expect "${text}"`),
    ];
    const [old, fresh] = Object.values(valuesOf(...lines("Old book", "New book")));
    expect(old).not.toBe(fresh);
    const [name, longer] = Object.values(valuesOf(...lines("Ana", "Benedikt")));
    expect(longer!.toLowerCase()).not.toContain(name!.toLowerCase());
    const bodies = ['{"name":"Old"}', '{"name":"New"}'];
    const sent = [
      ...bodies.map((body) => `request POST /api/x ${body}`),
      ...bodies.map((body) => `expect body ${body}`),
    ];
    expect(new Set(Object.values(valuesOf(...sent))).size).toBe(2);
  });

  it("is used in a request and in its expected answer", () => {
    const values = valuesOf(
      'request POST /api/links {"url":"https://example.org/a","note":"unseen"}',
      "expect status 201",
      "request GET /api/links",
      'expect body "https://example.org/a"',
    );
    expect(values).toEqual({
      "https://example.org/a": expect.stringMatching(/^https:\/\/example\.org\/[b-z]$/),
    });
    const { steps } = otherValues(
      check('request POST /api/x {"name":"Milk"}', 'expect body {"name":"Milk"}'),
    )!.check;
    expect(steps[0]!.body).not.toContain("Milk");
    expect(steps[1]!.body).toBe(steps[0]!.body);
  });

  it("is put in where the values are, and not into another value that was put in", () => {
    const values = new Map([
      ["Riverside", "Zwiebackm"],
      ["Anna Berg", "Oldu Rnif"],
      ["1", "2"],
    ]);
    expect(replaceAll("Anna Berg, 1 of Riverside 1", values)).toBe("Oldu Rnif, 2 of Zwiebackm 2");
  });

  it("is a number only if no other expectation could be computed from it", () => {
    expect(valuesOf('type "12.50" in "Amount"', 'expect "12.50 EUR"')).toEqual({
      "12.50": "11.50",
    });
    expect(valuesOf('type "12" in "Amount"', 'expect "12"', 'expect "Total 24"')).toEqual({});
    expect(valuesOf('type "1" in "A"', 'type "2" in "B"', 'expect "1"')).toEqual({});
  });

  it("does not exist if the value is looked up, chosen, fresh anyway or of a special form", () => {
    expect(valuesOf('type "Coffee" in searchbox "Find"', 'expect "Coffee"')).toEqual({});
    expect(valuesOf('select "Coffee" in "Kind"', 'expect "Coffee"')).toEqual({});
    expect(valuesOf('type "Coffee {new}" in "Name"', 'expect "Coffee {new}"')).toEqual({});
    for (const text of ["2026-03-01", "https://a.org/b", "#1e40af", "USD", "x = 1;"])
      expect(valuesOf(`type "${text}" in "Name"`, `expect "${text}"`)).toEqual({});
  });

  it("does not exist if the text is only expected in the field, or within another word", () => {
    expect(
      valuesOf('type "Milk" in textbox "Name"', 'expect textbox "Name" to say "Milk"'),
    ).toEqual({});
    expect(valuesOf('type "Milk" in "Name"', 'expect "Milkshake"')).toEqual({});
  });

  it("does not exist if a part of the value is typed as well, as in a search", () => {
    const steps = ['type "Red apples" in "Note"', 'click "Add"', 'expect listitem "Red apples"'];
    expect(Object.keys(valuesOf(...steps))).toEqual(["Red apples"]);
    expect(valuesOf(...steps, 'type "Apple" in "Search"', 'expect listitem "Red apples"')).toEqual(
      {},
    );
  });

  it("differs from the first, and is put into a check with the same number of steps", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const steps = [
          { do: "type" as const, on: "Name", text },
          { do: "expect" as const, on: text },
        ];
        const other = otherValues({ name: "It", steps });
        if (!other) return;
        expect(other.values.get(text)).not.toBe(text);
        expect(other.check.steps).toHaveLength(2);
        expect(other.check.steps[1]!.on).toBe(other.values.get(text));
      }),
    );
  });
});

describe("other values for everything that is typed", () => {
  const typedBy = (...values: string[]) =>
    otherTyped(check(...values.map((value) => `type "${value}" in "Field"`), 'expect "Saved"')).map(
      ({ steps }) => steps.flatMap(({ text, do: act }) => (act === "type" ? [text] : [])),
    );

  it("have another size, then a middle size or another kind", () => {
    expect(typedBy("M", "12", "ada@example.com", "Milk {new}")).toEqual([
      ["Z zwiebackmoldurnifeg", "127", "zwi@example.com", "Milk {new}"],
      [expect.stringContaining("@"), "50", "zwi@example.com", expect.stringContaining("{new}")],
    ]);
  });

  it("do not exist if one of the values has no other", () => {
    expect(typedBy("***")).toHaveLength(1);
  });
});

describe("an answer", () => {
  const values = new Map([["Coffee", "Zwieba"]]);
  const original = '- textbox "Name"\n- list:\n  - listitem: Coffee\n- text: Added';
  const before = '- textbox "Name": Zwieba\n- text: Nothing yet';

  it("was prepared if the page stays unchanged, or shows the first value", () => {
    expect(isPrepared(original, { before, after: before }, values)).toBe(true);
    const shown = '- textbox "Name"\n- list:\n  - listitem: Coffee';
    expect(isPrepared(original, { before, after: shown }, values)).toBe(true);
  });

  it("was prepared if the page only shows what it shows for any value", () => {
    expect(isPrepared(original, { before, after: `${before}\n- text: Added` }, values)).toBe(true);
  });

  it("was not prepared if the page reckons with the other value, also where the first one is in its answer", () => {
    const places = new Map([["1", "2"]]);
    const full = "- text: Full. All 1 places taken";
    const left = "- text: 1 of 2 places free";
    expect(isPrepared(full, { before: "- text: No match", after: left }, places)).toBe(false);
  });

  it("was not prepared if the page responds specifically to the other value", () => {
    const refused = `${before}\n- alert: There is no Zwieba`;
    expect(isPrepared(original, { before, after: refused }, values)).toBe(false);
  });
});
