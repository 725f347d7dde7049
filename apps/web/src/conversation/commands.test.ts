import { expect, it } from "vitest";
import "../words/english.test-support.ts";
import { commandSuggestions } from "../prompt/suggestions.ts";
import { commandOf, commands, typedMode } from "./commands.ts";

it("a mode before a message is removed from it", () => {
  expect(typedMode("/plan A page")).toEqual({ mode: "plan", text: "A page" });
  expect(typedMode("/discuss\nWhy?\nAnd how?")).toEqual({
    mode: "discuss",
    text: "Why?\nAnd how?",
  });
});

it("text that only looks like a mode is sent unchanged", () => {
  for (const text of ["/plan", "/planet of apes", "/src/App.tsx is wrong", "say /plan x"])
    expect(typedMode(text)).toBeUndefined();
});

it("commands whose names begin with the word come before those that mention it", () => {
  expect(commandSuggestions("co", commands())[0]?.label).toBe("/compact");
  expect(commandSuggestions("un", commands()).map(commandOf)[0]).toBe("undo");
  expect(commandSuggestions("", commands())).toHaveLength(commands().length);
});
