import { parseMentions } from "@treadle/protocol/mentions";
import { describe, expect, it } from "vitest";
import { matchPath } from "./match-path.ts";
import {
  commandSuggestions,
  MAX_SUGGESTIONS,
  suggestions,
  type Suggestion,
} from "./suggestions.ts";
import { typedCommand } from "./typed-command.ts";
import { typedMention } from "./typed-mention.ts";

describe("the text after an @", () => {
  it.each([
    ["@", { start: 0, query: "" }],
    ["see @src/A", { start: 4, query: "src/A" }],
    ['(@"my no', { start: 1, query: "my no" }],
    ["me@example", undefined],
    ["@a b", undefined],
    ["no", undefined],
  ])("in %j", (text, expected) => expect(typedMention(text, text.length)).toEqual(expected));

  it("is the text before the caret", () => {
    expect(typedMention("@app and more", 3)).toEqual({ start: 0, query: "ap" });
  });
});

describe("suggestions", () => {
  const files = ["index.html", "src/App.tsx", "src/app/api.ts", "my notes.md", "src/Map.tsx"];

  it("begin with the kinds, and are few enough to fit on the page", () => {
    const all = suggestions("", [...files, ...Array.from({ length: 99 }, (_, i) => `f${i}.ts`)]);
    expect(all.slice(0, 6).map(({ text }) => text)).toEqual([
      "@problems",
      "@terminal",
      "@preview",
      "@diff",
      "@checkpoint",
      "@https://",
    ]);
    expect(all).toHaveLength(MAX_SUGGESTIONS);
  });

  it("find a file by letters of its name, the best first", () => {
    expect(suggestions("app", files)[0]?.text).toBe("@src/App.tsx");
    expect(suggestions("sat", files)[0]?.text).toBe("@src/App.tsx");
    expect(suggestions("app/", files)[0]?.text).toBe("@src/app/");
    expect(suggestions("zzz", files)).toEqual([]);
    expect(matchPath("src/App.tsx", "xyz")).toBeUndefined();
  });

  it("are written so that they are parsed as the same file", () => {
    const [notes] = suggestions("notes", files);
    expect(parseMentions(`${notes?.text} `)[0]).toMatchObject({
      kind: "path",
      path: "my notes.md",
    });
  });

  it("are only links if there is no project yet", () => {
    expect(suggestions("", undefined).map(({ text }) => text)).toEqual(["@https://"]);
    expect(suggestions("pro", undefined)).toEqual([]);
  });
});

describe("offers of tool servers", () => {
  const offer = (kind: Suggestion["kind"], text: string, label = text): Suggestion => ({
    text,
    label,
    about: "",
    kind,
  });

  it.each([
    ["/", ""],
    ["/notes:gr", "notes:gr"],
    ["/my server:g", "my server:g"],
    ["see /notes", undefined],
    [" /notes", undefined],
    ["/a\nb", undefined],
    [`/${"x".repeat(200)}`, undefined],
    ["", undefined],
  ])("a command is what begins a message: %j", (text, expected) =>
    expect(typedCommand(text, text.length)).toBe(expected),
  );

  it("prompts are found by any part of their names, resources once something is typed", () => {
    const prompts = [offer("prompt", "/a:greet"), offer("prompt", "/greeter:hello")];
    expect(commandSuggestions("greet", prompts).map(({ text }) => text)).toEqual([
      "/greeter:hello",
      "/a:greet",
    ]);
    expect(commandSuggestions("etc is broken", prompts)).toEqual([]);
    const resources = [offer("resource", '@"my notes:note://1"', "my notes:note://1")];
    expect(suggestions("", ["a.ts"], resources).map(({ kind }) => kind)).not.toContain("resource");
    expect(suggestions("note", ["notes.md"], resources).map(({ text }) => text)).toEqual([
      '@"my notes:note://1"',
      "@notes.md",
    ]);
  });
});
