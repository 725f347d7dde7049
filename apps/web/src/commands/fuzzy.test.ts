import { describe, expect, it } from "vitest";
import { fuzzy } from "./fuzzy.ts";

const best = (texts: string[], query: string) =>
  texts
    .flatMap((text) => {
      const score = fuzzy(text, query);
      return score === undefined ? [] : [{ text, score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ text }) => text);

const TITLES = [
  "Open the preview",
  "Reload the preview",
  "Dark theme",
  "Download ZIP",
  "Check now",
];

describe("a search", () => {
  it("matches the beginnings of words, in any order", () => {
    expect(best(TITLES, "prev re")[0]).toBe("Reload the preview");
    expect(best(TITLES, "dark")).toEqual(["Dark theme"]);
  });

  it("matches first letters, and words with letters left out", () => {
    expect(best(TITLES, "dz")).toEqual(["Download ZIP"]);
    expect(best(TITLES, "rtp")).toEqual(["Reload the preview"]);
    expect(best(TITLES, "chknw")).toEqual(["Check now"]);
  });

  it("fails if one of its words is missing", () => {
    expect(best(TITLES, "preview zebra")).toEqual([]);
    expect(fuzzy("Check now", "")).toBeLessThan(0);
  });

  it("works in languages without spaces, and ignores case", () => {
    expect(best(["打开设置", "重新加载预览"], "预览")).toEqual(["重新加载预览"]);
    expect(best(["Tema escuro", "Configurações"], "CONFIGURA")).toEqual(["Configurações"]);
  });

  it("takes time proportional to the length of the text", () => {
    expect(fuzzy("a ".repeat(50_000), "b")).toBeUndefined();
    expect(fuzzy("ab".repeat(20_000), "aaab")).toBeDefined();
  });
});
