import { describe, expect, it } from "vitest";
import { newCapability } from "../project-context/ids.ts";
import { isAppName, nameFor } from "./app-name.ts";

describe("the name of a published app", () => {
  it.each([
    ["Todo", "todo"],
    ["My Café — menu!", "my-cafe-menu"],
    ["日本語", "site-1"],
    ["2048", "site-1"],
    ["API", "site-1"],
    ["A very long name of a project that goes on", "a-very-long-name-of-a-pr"],
  ])("is made of the project's: %s", (project, name) => {
    expect(nameFor(project, () => true)).toBe(name);
    expect(isAppName(name)).toBe(true);
  });

  it("is nobody else's", () => {
    const taken = new Set(["todo", "todo-2"]);
    expect(nameFor("Todo", (name) => !taken.has(name))).toBe("todo-3");
  });

  it("is as short as a preview's is long: each preview stays a preview's", () => {
    for (let index = 0; index < 50; index++) expect(newCapability()).toHaveLength(26);
    expect("a-very-long-name-of-a-pr".length).toBeLessThan(26);
  });
});
