import { parseMentions } from "@treadle/protocol/mentions";
import { expect, it } from "vitest";
import { readPrompt } from "./read-prompt.ts";

const pointedAt = (uri: string) =>
  readPrompt(
    [
      { type: "text", text: "Explain " },
      { type: "resource_link", uri, name: "it" },
      { type: "text", text: ", and" },
    ],
    "/home/me/my app",
  ).text;

it.each([
  ["src/App.tsx", "src/App.tsx"],
  ["my%20notes.md", "my notes.md"],
  ["diff", "diff"],
  ["src/", "src/"],
  ["my%20pages/", "my pages/"],
])("converts a link to a file into its path: %s", (address, path) => {
  const mentions = parseMentions(pointedAt(`file:///home/me/my%20app/${address}`));
  expect(mentions).toMatchObject([{ kind: "path", path }]);
});

it("converts line numbers of a link, also for a name with spaces", () => {
  expect(pointedAt("file:///home/me/my%20app/my%20notes.md#L3:9")).toBe(
    'Explain @"my notes.md":3-9, and',
  );
});

it.each([
  "file:///home/me/other/a.ts",
  "file:///home/me/my%20app/a%2Fb",
  "file:///home/me/my%20app/%zz",
  "https://a.example/b",
])("keeps the address of a link outside of the folder: %s", (uri) =>
  expect(pointedAt(uri)).toBe(`Explain ${uri}, and`),
);

it("separates a mention from adjacent words", () => {
  const blocks = [
    { type: "text" as const, text: "Explain" },
    { type: "resource_link" as const, uri: "file:///app/a.ts", name: "a.ts" },
    { type: "text" as const, text: "and" },
    { type: "resource_link" as const, uri: "file:///app/b.ts", name: "b.ts" },
  ];
  expect(readPrompt(blocks, "/app").text).toBe("Explain @a.ts and @b.ts");
});
