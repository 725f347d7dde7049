import { describe, expect, it } from "vitest";
import { readQuickActions, recoverFences } from "./artifact/index.ts";
import { createArtifactParser } from "./artifact/parse.ts";
import { MORE_SHAPES } from "./more-shapes.test-support.ts";
import { createToolTagParser } from "./tool-tags/parse.ts";
import { createUnfencedToolTagParser } from "./tool-tags/unfenced.ts";

const SIZES = [1, 2, 3, 7, 16, Number.MAX_SAFE_INTEGER];
const TOOLS = { write_file: ["path", "content"], run_command: ["command"] };
const COMMANDS = ["shell", "start", "build"];

/** What may be carried out of a text: commands, and files by their names. */
function read(text: string, dialect: "artifact" | "tags", forgives: boolean, size: number) {
  const done = { commands: [] as string[], files: [] as string[], deleted: [] as string[] };
  const create = forgives ? createUnfencedToolTagParser : createToolTagParser;
  const parser =
    dialect === "artifact"
      ? createArtifactParser({
          ...(forgives ? { recover: recoverFences, quickActions: readQuickActions } : {}),
          onEvent(event) {
            if (event.type !== "action-close" || !event.complete) return;
            const { actionType, filePath, operation, content } = event;
            if (COMMANDS.includes(actionType)) done.commands.push(content);
            else if (filePath !== undefined)
              done[operation === "delete" ? "deleted" : "files"].push(filePath);
          },
        })
      : create({
          tools: TOOLS,
          onEvent(event) {
            if (event.type !== "tool-close" || !event.complete) return;
            const { path, command } = event.params;
            if (command !== undefined) done.commands.push(command);
            if (path !== undefined) done.files.push(path);
          },
        });
  for (let at = 0; at < text.length; at += size) parser.write(text.slice(at, at + size));
  parser.end();
  return done;
}

describe.each(MORE_SHAPES)("$shape", ({ text, dialect, files, commands = [], deleted = [] }) => {
  it("is what was meant, in every chunking", () => {
    for (const size of SIZES)
      expect(read(text, dialect, true, size)).toEqual({
        commands,
        deleted,
        files: Object.keys(files).toSorted((a, b) => text.indexOf(a) - text.indexOf(b)),
      });
  });

  it("runs nothing that only stands in it, read by the plain parser, too", () => {
    // That a tag of dots only shows something is read by who recovers.
    if (text.includes('id="…"')) return;
    for (const size of SIZES)
      expect(read(text, dialect, false, size).commands).not.toContain("rm -rf src");
  });
});
