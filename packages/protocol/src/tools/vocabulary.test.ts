import { expect, test } from "vitest";
import {
  holdsContent,
  holdsWholeFile,
  isCommand,
  mayChangeFiles,
  mayRunCommands,
  toolKind,
} from "./ask.ts";
import { isForeignTool, spokenTool } from "./foreign.ts";
import type { ToolEntry, ToolKind } from "./types.ts";
import { TOOLS } from "./vocabulary.ts";

const names = Object.keys(TOOLS);

test("describes an action in progress without its subject", () => {
  for (const { doing } of Object.values<ToolEntry>(TOOLS)) expect(doing()).toMatch(/^[A-Z].*[^.]$/);
  expect(TOOLS.write_file.doing("src/App.tsx")).toBe("Writing src/App.tsx");
  expect(TOOLS.run_command.doing(undefined)).toBe("Preparing a command");
  expect(TOOLS.fetch_url.doing("https://example.com/")).toBe("Reading https://example.com/");
});

test("finds a tool's kind by name, and none for an unknown tool", () => {
  const namesOf = (is: (kind: ToolKind) => boolean) =>
    ["write_file", "rename_file", "use_template", "start_server", "use_preview", "read_file", "todo"].filter((name) => is(toolKind(name)!)); // prettier-ignore
  expect(namesOf(isCommand)).toEqual(["use_template", "start_server"]);
  expect(namesOf(mayRunCommands)).toEqual(["use_template", "start_server", "use_preview"]);
  expect(namesOf(mayChangeFiles)).toEqual(["write_file", "rename_file", "use_template", "start_server", "use_preview"]); // prettier-ignore
  expect(toolKind("mcp__notes__echo")).toBeUndefined();
  expect(toolKind("toString")).toBeUndefined();
});

test("knows which calls contain a file's content", () => {
  expect(names.filter(holdsContent)).toEqual(["write_file", "edit_file"]);
  expect(names.filter(holdsWholeFile)).toEqual(["write_file"]);
});

test("names a foreign tool with its server", () => {
  expect(["mcp__notes__echo_text", "write_file"].map(spokenTool)).toEqual(["echo_text of notes", "write file"]); // prettier-ignore
  expect(["mcp__notes__echo_text", "write_file"].map(isForeignTool)).toEqual([true, false]);
});
