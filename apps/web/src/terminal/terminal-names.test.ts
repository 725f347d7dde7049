import { expect, it } from "vitest";
import { nextTerminal, terminalLabel } from "./terminal-names.ts";

it("counts terminals from 1, and takes the number of one that was closed again", () => {
  expect(nextTerminal([])).toBe("1");
  expect(nextTerminal(["1", "2", "4", "build"])).toBe("3");
});

it("calls a terminal by its number, or by the name it was given", () => {
  expect(terminalLabel("2")).toBe("Terminal 2");
  expect(terminalLabel("build")).toBe("build");
  expect(terminalLabel("2", "开发")).toBe("开发");
});
