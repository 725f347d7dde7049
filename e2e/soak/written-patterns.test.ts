import { parseAst } from "rolldown/parseAst";
import { expect, it } from "vitest";
import { writtenPatterns } from "./written-patterns.ts";

const found = (text: string) =>
  writtenPatterns(parseAst(text, { lang: "ts" }, "a.ts")).map(
    ({ source, flags }) => `/${source}/${flags}`,
  );

it("finds literal patterns and concatenated ones", () => {
  expect(
    found(`
      const WORDS = ["a", "b"];
      const ONE = String.raw\`\\s+(?:\${WORDS.join("|")})\`;
      const TWO = /c+/g;
      new RegExp(ONE, "i");
      const f = (name: string, n: number) => new RegExp("^" + name + \`\\\\d{0,\${n}}\${TWO.source}\`);
      new RegExp(TWO, "y");
    `),
  ).toEqual(["/c+/g", String.raw`/\s+(?:a|b)/i`, String.raw`/^word\d{0,9}c+/`]);
});
