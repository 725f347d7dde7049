import { expect, it } from "vitest";
import "../words/english.test-support.ts";
import { commandSuggestions } from "../prompt/suggestions.ts";
import { commandOf, commands, typedMode } from "./commands.ts";

it("a mode in front of a message is taken off it", () => {
  expect(typedMode("/plan A page")).toEqual({ mode: "plan", text: "A page" });
  expect(typedMode("/discuss\nWhy?\nAnd how?")).toEqual({
    mode: "discuss",
    text: "Why?\nAnd how?",
  });
});

it("what only looks like one is said as it stands", () => {
  for (const text of ["/plan", "/planet of apes", "/src/App.tsx is wrong", "say /plan x"])
    expect(typedMode(text)).toBeUndefined();
});

it("a command is found by the beginning of its name, before what only mentions the word", () => {
  expect(commandSuggestions("co", commands())[0]?.label).toBe("/compact");
  expect(commandSuggestions("un", commands()).map(commandOf)[0]).toBe("undo");
  expect(commandSuggestions("", commands())).toHaveLength(commands().length);
});
