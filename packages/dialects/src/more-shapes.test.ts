import { describe, expect, it } from "vitest";
import { createLenientArtifactParser } from "./artifact/index.ts";
import { createArtifactParser } from "./artifact/parse.ts";
import { meantPath } from "./meant/index.ts";
import { REAL_ANSWERS, sharedAnswers } from "./real-answers.test-support.ts";
import { createToolTagParser } from "./tool-tags/parse.ts";
import { createUnfencedToolTagParser } from "./tool-tags/unfenced.ts";

const SIZES = [1, 2, 3, 7, 16, Number.MAX_SAFE_INTEGER];
const TOOLS = { write_file: ["path", "content"], run_command: ["command"] };
const ALIASES = { write_to_file: { tool: "write_file" }, execute_command: { tool: "run_command" } };
const COMMANDS = ["shell", "start", "build"];

/** The executable parts of a text: the number of commands, and files by name. */
function read(text: string, dialect: "artifact" | "tags", forgives: boolean, size: number) {
  const done = { commands: [] as string[], files: [] as string[], deleted: [] as string[] };
  const create = forgives ? createLenientArtifactParser : createArtifactParser;
  const createTags = forgives ? createUnfencedToolTagParser : createToolTagParser;
  const parser =
    dialect === "artifact"
      ? create({
          onEvent(event) {
            if (event.type !== "action-close" || !event.complete) return;
            const { actionType, filePath, operation, content } = event;
            if (COMMANDS.includes(actionType)) done.commands.push(content);
            else if (filePath !== undefined)
              done[operation === "delete" ? "deleted" : "files"].push(meantPath(filePath));
          },
        })
      : createTags({
          tools: TOOLS,
          aliases: ALIASES,
          onEvent(event) {
            if (event.type !== "tool-close" || !event.complete) return;
            const { path, command } = event.params;
            if (command !== undefined) done.commands.push(command);
            if (path !== undefined) done.files.push(meantPath(path));
          },
        });
  for (let at = 0; at < text.length; at += size) parser.write(text.slice(at, at + size));
  parser.end();
  return done;
}

describe.each(REAL_ANSWERS)("$shape", ({ text, dialect, files, commands = [], deleted = [] }) => {
  it("gives the intended result, in every chunking", () => {
    for (const size of SIZES) {
      const done = read(text, dialect, true, size);
      // The parser does not decide about text around a command, or a file that is written twice.
      expect(done.commands.length).toBe(commands.length);
      expect(done.deleted).toEqual(deleted);
      expect([...new Set(done.files)].toSorted()).toEqual(Object.keys(files).toSorted());
    }
  });

  it("executes nothing that is only mentioned, also with the strict parser", () => {
    // Only the lenient parser recognises dots, sentences, quotations and template markup as
    // examples.
    if (
      /id="…"|later\.|^> |think|ought|_prefix|channel|monologue|analysis|scratch_pad/im.test(text)
    )
      return;
    for (const size of SIZES)
      expect(read(text, dialect, false, size).commands).not.toContain("rm -rf src");
  });
});

describe("the shared answers", () => {
  const shared = sharedAnswers();
  if (shared.length === 0) it("are absent: they were NOT read", () => {});
  for (const { name, dialect, parts, files, commands, deleted } of shared)
    it(name, () => {
      for (const size of SIZES) {
        const done = parts.map((text) => read(text, dialect, true, size));
        expect([...new Set(done.flatMap((one) => one.files))]).toEqual(files);
        expect(done.flatMap((one) => one.commands).length).toBe(commands.length);
        expect(done.flatMap((one) => one.deleted)).toEqual(deleted === undefined ? [] : [deleted]);
      }
    });
});
