import { expect, it } from "vitest";
import { nextTerminal, terminalLabel } from "./terminal-names.ts";

it("numbers terminals from 1, and reuses the number of a closed one", () => {
  expect(nextTerminal([])).toBe("1");
  expect(nextTerminal(["1", "2", "4", "build"])).toBe("3");
});

it("labels a terminal with its number or its given name", () => {
  expect(terminalLabel("2")).toBe("Terminal 2");
  expect(terminalLabel("build")).toBe("build");
  expect(terminalLabel("2", "开发")).toBe("开发");
});
