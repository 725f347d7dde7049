import { describe, expect, it } from "vitest";
import { newCapability } from "@treadle/common";
import { isAppName, nameFor } from "./app-name.ts";

describe("the name of a published app", () => {
  it.each([
    ["Todo", "todo"],
    ["My Café — menu!", "my-cafe-menu"],
    ["Übergröße & Œuvre på Øland", "ubergrosse-oeuvre-pa-ola"],
    ["Łódź", "lodz"],
    ["日本語", "site-1"],
    ["2048", "site-1"],
    ["API", "site-1"],
    ["A very long name of a project that goes on", "a-very-long-name-of-a-pr"],
  ])("is made of the project's: %s", (project, name) => {
    expect(nameFor(project, () => true)).toBe(name);
    expect(isAppName(name)).toBe(true);
  });

  it("is unique", () => {
    const taken = new Set(["todo", "todo-2"]);
    expect(nameFor("Todo", (name) => !taken.has(name))).toBe("todo-3");
    const long = new Set(["a-very-long-name-of-a-pr"]);
    for (let number = 2; number < 12; number++) {
      const name = nameFor("A very long name of a project", (one) => !long.has(one));
      expect(isAppName(name)).toBe(true);
      expect(name).toMatch(new RegExp(`-${number}$`));
      long.add(name);
    }
  });

  it("is shorter than a preview's name, so that the two cannot be confused", () => {
    for (let index = 0; index < 50; index++) expect(newCapability()).toHaveLength(26);
    expect("a-very-long-name-of-a-pr".length).toBeLessThan(26);
  });
});
