import { describe, expect, it } from "vitest";
import { compileCatalogue, valuesOf, valueTypes } from "./compile.ts";

describe("a catalogue", () => {
  it("keeps plain text unchanged, and keeps its groups", () => {
    expect(compileCatalogue({ a: { b: "It's 5 o'clock" } })).toEqual({
      a: { b: "It's 5 o'clock" },
    });
  });

  it("names the message that is malformed", () => {
    expect(() => compileCatalogue({ a: { b: "{open" } })).toThrow(/a\.b/);
  });

  it("lists the values that a message needs, wherever they occur", () => {
    const message =
      "{more, select, true {{n, plural, one {# by {who}} other {# by {who}}}} other {{n}}}";
    expect([...valuesOf(message)]).toEqual([
      ["more", "boolean"],
      ["n", "number"],
      ["who", "string | number"],
    ]);
  });

  it("rejects markup", () => {
    expect(() => valuesOf("<b>bold</b>")).toThrow();
  });

  it("gives types only to messages that have values", () => {
    const source = valueTypes({ files: { rename: "Rename", gone: "{path} is gone" } });
    expect(source).toContain('"files.gone": { path: string | number };');
    expect(source).not.toContain("rename");
  });
});
