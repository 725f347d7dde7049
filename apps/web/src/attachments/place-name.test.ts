import { parseMentions } from "@treadle/protocol/mentions";
import { readProjectPath, toProjectPath } from "@treadle/protocol/project-path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freeName, placeFor, withMentions } from "./place-name.ts";

describe("the path of an attached file", () => {
  it.each([
    ["sales.csv", "data/sales.csv"],
    ["My Sales (2024).csv", "data/My Sales (2024).csv"],
    ["shots/a.png", "data/shots/a.png"],
    ["../../etc/passwd", "data/etc/passwd"],
    ["a\\b:c?.txt", "data/a-b-c-.txt"],
    ["..", "data/file"],
    ["", "data/file"],
    ["\u202etxt.exe", "data/-txt.exe"],
    ["%2e%2e", "data/-2e-2e"],
    [`${"x".repeat(300)}.csv`, `data/${"x".repeat(60)}.csv`],
  ])("for %j is %j", (given, place) => expect(placeFor(given)).toBe(place));

  it("is valid in the project and in mentions, whatever the file's name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 90 }), (given) => {
        const place = placeFor(given.split("/").slice(0, 3).join("/"));
        expect(readProjectPath(place)).toEqual({ ok: true, path: place });
        const text = withMentions("Look", [place]);
        expect(parseMentions(text)).toHaveLength(1);
      }),
    );
  });

  it("is different if the path is taken", () => {
    const taken = new Set(["data/a.csv", "data/a-2.csv", "data/b"].map(toProjectPath));
    expect(freeName(toProjectPath("data/a.csv"), taken)).toBe("data/a-3.csv");
    expect(freeName(toProjectPath("data/b"), taken)).toBe("data/b-2");
    expect(freeName(toProjectPath("data/c.csv"), taken)).toBe("data/c.csv");
  });
});

describe("a message with files", () => {
  it("mentions each file once", () => {
    expect(withMentions("Show it", ["data/a.csv", "data/b c.csv"].map(toProjectPath))).toBe(
      'Show it\n\n@data/a.csv @"data/b c.csv"',
    );
    expect(withMentions("Show @data/a.csv", [toProjectPath("data/a.csv")])).toBe(
      "Show @data/a.csv",
    );
  });

  it("mentions the folders if there are many files", () => {
    const many = Array.from({ length: 40 }, (_, index) => toProjectPath(`data/shots/${index}.png`));
    expect(withMentions("Look", [...many, toProjectPath("data/a.csv")])).toBe(
      "Look\n\n@data/shots/ @data/",
    );
    const spread = Array.from({ length: 40 }, (_, index) => toProjectPath(`data/${index}/a.png`));
    expect(withMentions("Look", spread)).toBe("Look\n\n@data/");
  });
});
