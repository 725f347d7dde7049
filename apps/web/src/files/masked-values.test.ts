import { expect, it } from "vitest";
import { holdsSecrets, valueIn } from "./masked-values.ts";

it("knows files of secrets by their names, and examples for what they are", () => {
  expect([".env", "app/.env.local", ".env.production"].map(holdsSecrets)).not.toContain(false);
  expect(
    [".env.example", "env", ".environment", "src/.env.ts.sample"].map(holdsSecrets),
  ).not.toContain(true);
});

it("finds the value of a line", () => {
  const value = (line: string) => {
    const at = valueIn(line);
    return at && line.slice(at.from, at.to);
  };
  expect(value("KEY=abc def ")).toBe("abc def");
  expect(value('export API_KEY = "x"')).toBe('"x"');
  expect(["# a=b", "KEY=", "", "words only"].map(value)).toEqual(Array(4).fill(undefined));
});
