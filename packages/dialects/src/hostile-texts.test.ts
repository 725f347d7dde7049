import { describe, expect, it } from "vitest";
import { parsePatch } from "./apply-patch/parse.ts";
import { recognizeFence } from "./artifact/recognize-fence.ts";
import { findPlaceholder } from "./edits/placeholder.ts";
import { meantCommand } from "./meant/command.ts";
import { withoutFence } from "./meant/fence.ts";
import { createArtifactParser } from "./artifact/parse.ts";
import { recoverFences } from "./artifact/recovery.ts";
import { parseModifications } from "./modifications/parse.ts";
import { callsIn } from "./tool-tags/calls-in.ts";
import { rewriteForeignCalls } from "./tool-tags/foreign-calls.ts";
import { createUnfencedToolTagParser } from "./tool-tags/unfenced.ts";

/** Length at which an algorithm of quadratic time or worse exceeds the test's time limit. */
const LONG = 400_000;
const pumped = (begin: string, again: string, end: string) =>
  begin + again.repeat(LONG / again.length) + end;

/** Parses in one chunk, and in chunks of sixteen characters. */
const inPieces = (make: () => { write(piece: string): void; end(): void }) => (text: string) => {
  for (const [size, length] of [
    [text.length, text.length],
    [16, LONG / 8],
  ] as const) {
    const parser = make();
    for (let at = 0; at < length; at += size) parser.write(text.slice(at, at + size));
    parser.end();
  }
};
const TOOLS = { write_file: ["path", "content"], run_command: ["command"] };
const calls = inPieces(() => createUnfencedToolTagParser({ tools: TOOLS, onEvent() {} }));
const actions = inPieces(() => createArtifactParser({ recover: recoverFences, onEvent() {} }));
const VALUE = "<write_file>\n<path>a</path>\n<content>\n";
const FILE = '<boltAction type="file" filePath="a">\n';

const foreignCall = (text: string) => {
  let passed = "";
  const calls = rewriteForeignCalls(
    ["run"],
    () => true,
    () => false,
    (piece) => void (passed += piece),
  );
  calls.write(text);
  calls.end();
  return passed;
};

describe("A78 a text designed to take quadratic time", () => {
  it.each<[string, (text: string) => unknown, string, string, string]>([
    ["tagged commands", meantCommand, "<cmd>", "</cmd><cmd>", "\0"],
    ["a command's tags that never close", meantCommand, "", "<cmd>a", "</command>"],
    ["a fence", withoutFence, "", "~", "`"],
    ["a placeholder's comment", (text) => findPlaceholder(text, ""), "", `//${"\t".repeat(90)}…${"\t".repeat(90)}\u2028;\n`, ""], // prettier-ignore
    ["code behind which dots stand", (text) => findPlaceholder(text, ""), "", `${"\t#…".repeat(60)}\u2028\n`, ""], // prettier-ignore
    ["modifications", parseModifications, "<bolt_file_modifications>\n<file\t", "\t", "d"],
    [
      "quotes of a call that close nothing",
      (text) => callsIn(text, ["run"]),
      '{"name":"run"}',
      '\0\\"\\',
      "",
    ],
    ["a call in tags", (text) => callsIn(text, ["run"]), "<name>run</name>", "\t", "s"],
    ["parameters of a call", foreignCall, "<function=run>", "<parameter=r>-", "</function>"],
    ["ends of parameters", foreignCall, "<function=run><parameter=r>", "</parameter>x", "</function>"], // prettier-ignore
    ["a patch's beginning", parsePatch, " ", "\n ", "*** Begin Patch x"],
    ["a patch's header", parsePatch, "*** Begin Patch\n*** Move to: *", "\t", "\0\n*** End Patch"],
    ["actions without their ends", actions, "", FILE, ""],
    ["actions in a file", actions, FILE, `${FILE}</boltAction>\n`, ""],
    ["actions whose tags do not end", actions, FILE + FILE, "<boltAction ", ""],
    ["artifacts in a file", actions, FILE, '\n<boltArtifact id="a">\n', ""],
    ["words behind every action", actions, FILE, `</boltAction> x\n${FILE}`, ""],
    ["thinking in a fence", actions, "```\n", "<think>`</think>\n", ""],
    ["comments that do not end", actions, "", "<!--\n", ""],
    ["calls without their ends", calls, "", "<write_file>\n<path>a</path>\n", ""],
    ["calls that are begun again", calls, "", "<write_file>\n", ""],
    ["calls of dots", calls, "", "<write_file>\n<path>...</path>\n", ""],
    ["calls of attributes", calls, "", '<write_file path="a" ', ""],
    ["ends of a call in a value", calls, VALUE, "</write_file>\n", ""],
    ["ends of a parameter in a value", calls, VALUE, "<content></content>", ""],
    ["a value's own tag in a value", calls, VALUE, "<content>", ""],
    ["the prose before a fence", (text) => recognizeFence("", text, [""]), "in:", "\t:", "x"],
    ["names of folders before a fence", (text) => recognizeFence("", text, [text]), "#", "a/", ":"],
    [
      "names of files before a fence",
      (text) => recognizeFence(text, text, [text]),
      "#",
      "a.b ",
      ":",
    ],
  ])("%s", (_, read, begin, again, end) => {
    expect(() => read(pumped(begin, again, end))).not.toThrow();
  });
});

it("finds commands in tags as before", () => {
  expect(meantCommand("<cmd>ls</cmd>\n <COMMAND>echo '</cmd>'</command>")).toBe(
    "ls\necho '</cmd>'",
  );
  expect(meantCommand("<cmd>echo '</cmd>' x</cmd>")).toBe("echo '</cmd>' x");
  expect(meantCommand("<cmd>ls</cmd> and more")).toBe("<cmd>ls</cmd> and more");
});
