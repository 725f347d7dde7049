import { describe, expect, it } from "vitest";
import { parseChecks, parseStep } from "@treadle/protocol/checks";
import { createClosingFence } from "./dialects/go-on/closing-fence.ts";
import { parseTodo } from "./context/todo/todo.ts";
import { isDocument } from "./evidence/serve/is-document.ts";
import { plainBody } from "./evidence/serve/plain-body.ts";
import { refusesPictures } from "./models/errors/refuses-pictures.ts";
import { seesPictures } from "./models/sees-pictures.ts";
import { leavesBehind } from "./project/leaves-behind.ts";
import { findPlaceholder } from "./tools/write-file.ts";

/** Length at which an algorithm of quadratic time or worse exceeds the test's time limit. */
const LONG = 400_000;
const pumped = (begin: string, again: string, end: string) =>
  begin + again.repeat(LONG / again.length) + end;

describe("A78 a text that is made to be read without end", () => {
  it.each<[string, (text: string) => unknown, string, string, string]>([
    ["a check's heading", parseChecks, "## \u2028", "\t", "x\u2028\0"],
    ["a check's item", parseChecks, "## a\n- ", "\t", "\u2028\0"],
    [
      "a step",
      (text) => expect(parseStep(text)).toMatchObject({ problem: { code: "too-long" } }),
      "see\t",
      "\t",
      "\u2028",
    ],
    ["an item of the list of work", parseTodo, "[]", "\t", "\u2028x"],
    ["a page behind comments", isDocument, "<!---", "-><!----><!---", ""],
    ["an error's page", (body) => plainBody({ contentType: "text/html", body }), "", "<", ""],
    ["what a provider says of pictures", refusesPictures, "", "image ", "x"],
    ["a model's name", seesPictures, "a:", "GP", "T"],
    ["a file of blank lines", findPlaceholder, "#REST OFE F…", "\n", "\nI"],
    ["the seam of an answer", (text) => createClosingFence(3).write(text), "", "\t", "\v\n"],
    ["a command that leaves something behind", leavesBehind, "e", "&x=l", ""],
  ])("%s", (_, read, begin, again, end) => {
    expect(() => read(pumped(begin, again, end))).not.toThrow();
  });
});

it.each([
  ["<!doctype html><p>x", true],
  [" <!-- a --> <!-- b -->\n<HTML lang=en>", true],
  ["<!-- a <html>", false],
  ["<htmlx>", false],
  ["", false],
])("%j is a page: %s", (body, expected) => {
  expect(isDocument(body)).toBe(expected);
});
