import type { Diagnostic } from "vscode-languageserver-protocol";
import { expect, it } from "vitest";
import { withoutMissingTypes } from "./missing-types.ts";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const problem = (code: number): Diagnostic => ({ range, code, severity: 1, message: "" });
const shown = (...codes: number[]) =>
  withoutMissingTypes(codes.map(problem)).map(({ code, severity }) => [code, severity]);

it("a package without types is not an error, nor are unknown types caused by it", () => {
  expect(shown(7016, 7026, 7026, 7031, 7006, 2322)).toEqual([
    [7016, 3],
    [2322, 1],
  ]);
});

it("an unknown type is an error if all packages have types", () => {
  expect(shown(7006, 7031)).toEqual([
    [7006, 1],
    [7031, 1],
  ]);
});
