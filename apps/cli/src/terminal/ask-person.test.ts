import { PassThrough } from "node:stream";
import type { ApprovalQuestion, WordsQuestion } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { askPerson, askToGoOn } from "./ask-person.ts";

const approval: ApprovalQuestion = {
  kind: "approval",
  id: "q",
  call: "c",
  tool: "run_command",
  why: "It runs a command.",
  subject: { kind: "command", what: ["npm test"] },
  digest: "d",
  mayRemember: true,
};
const words: WordsQuestion = {
  kind: "words",
  id: "q",
  call: "c",
  text: "Which colour?",
  choices: ["red", "blue"],
};

/** The answer after typing these lines; the input ends after them. */
function typed(question: ApprovalQuestion | WordsQuestion, ...lines: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  return askPerson(question, { input, output }, new AbortController().signal).then((given) => ({
    given,
    shown: String(output.read() ?? ""),
  }));
}

it.each([
  [["y"], { kind: "approve", digest: "d" }],
  [["YES"], { kind: "approve", digest: "d" }],
  [["a"], { kind: "approve", digest: "d", always: true }],
  [["n"], { kind: "deny" }],
  [["use pnpm"], { kind: "deny", words: "use pnpm" }],
  [["", "x", "y"], { kind: "approve", digest: "d" }],
])("parses the lines %j as the permission %j", async (lines, given) => {
  expect((await typed(approval, ...lines)).given).toEqual(given);
});

it("does not allow permanently what must not be remembered", async () => {
  const { given, shown } = await typed({ ...approval, mayRemember: false }, "a", "n");
  expect(given).toEqual({ kind: "deny" });
  expect(shown).not.toContain("always");
});

it("shows the content of instruction files without terminal control characters (A41)", async () => {
  const shown = [{ path: toProjectPath("AGENTS.md"), text: "a\u001B[2J\nb" }];
  const asked = await typed({ ...approval, shown }, "n");
  expect(asked.shown).toMatch(/AGENTS\.md\n {4}\| a/);
  expect(asked.shown).not.toContain("\u001B");
});

it.each([
  ["2", "blue"],
  ["3", "3"],
  ["0", "0"],
  ["teal", "teal"],
])("parses the line %j as the text %j", async (line, text) => {
  const { given, shown } = await typed(words, line);
  expect(given).toEqual({ kind: "words", text });
  expect(shown).toContain("2  blue");
});

it("returns nothing if the input or the run ends", async () => {
  expect((await typed(words)).given).toBeUndefined();
  const controller = new AbortController();
  const asked = askPerson(
    words,
    { input: new PassThrough(), output: new PassThrough() },
    controller.signal,
  );
  controller.abort();
  expect(await asked).toBeUndefined();
});

it.each([
  ["\n", true],
  ["y\n", true],
  ["n\n", false],
  ["what\n", false],
  ["", false],
])("after %j, continuing is %s", async (typedText, goesOn) => {
  const input = new PassThrough();
  input.end(typedText);
  expect(await askToGoOn("It holds files.", { input, output: new PassThrough() })).toBe(goesOn);
});

it("A169 allows a file longer than the terminal shows only after all of it was shown", async () => {
  const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
  const shown = [{ path: toProjectPath("AGENTS.md"), text }];
  const once = await typed({ ...approval, shown }, "y");
  expect(once.given).toBeUndefined();
  expect(once.shown).toContain("line 29");
  expect((await typed({ ...approval, shown }, "y", "y")).given).toMatchObject({ kind: "approve" });
  expect((await typed({ ...approval, shown }, "n")).shown).not.toContain("line 29");
});

it("A169 shows unusual space characters by their code points", async () => {
  const shown = [{ path: toProjectPath("AGENTS.md"), text: "rm\u00a0-rf \u3164/" }];
  expect((await typed({ ...approval, shown }, "n")).shown).toContain("rm\\u{a0}-rf \\u{3164}/");
});
