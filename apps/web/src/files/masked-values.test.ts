import { expect, it } from "vitest";
import { valueIn } from "./masked-values.ts";

it("finds the value of a line", () => {
  const value = (line: string) => {
    const at = valueIn(line);
    return at && line.slice(at.from, at.to);
  };
  expect(value("KEY=abc def ")).toBe("abc def");
  expect(value('export API_KEY = "x"')).toBe('"x"');
  expect(["# a=b", "KEY=", "", "words only"].map(value)).toEqual(Array(4).fill(undefined));
});
