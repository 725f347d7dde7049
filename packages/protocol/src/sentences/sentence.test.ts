import { describe, expect, it } from "vitest";
import { sentence } from "./sentence.ts";
import { clauses } from "./verdict-sentence.ts";

describe("a sentence", () => {
  it("has its English text, and its code with values", () => {
    expect(sentence("wrote", { path: "a.ts" })).toEqual({
      text: "Wrote a.ts",
      coded: { code: "wrote", values: { path: "a.ts" } },
    });
    expect(sentence("no-outline").coded).toEqual({ code: "no-outline" });
  });

  it("accepts another sentence as a value", () => {
    const one = sentence("and-more", { what: sentence("ran", { command: "ls" }), count: 2 });
    expect(one.text).toBe("Ran ls and 2 more");
    expect(one.coded?.values?.["what"]).toEqual({ code: "ran", values: { command: "ls" } });
  });

  it("preserves text without a code beside text with one", () => {
    const both = clauses(sentence("no-build"), "as the compiler says");
    expect(both.coded?.values?.["parts"]).toEqual([{ code: "no-build" }, "as the compiler says"]);
    expect(clauses("alone")).toEqual({ text: "alone" });
  });
});
