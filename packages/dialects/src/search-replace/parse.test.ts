import { expect, test } from "vitest";
import { createEditApplier } from "../edits/apply.ts";
import { createSearchReplaceReader, parseSearchReplace } from "./parse.ts";

const BLOCK = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n";

test("outputs a block as soon as it is closed", () => {
  const edits: unknown[] = [];
  const reader = createSearchReplaceReader({ onEdit: (edit) => edits.push(edit) });
  for (const character of BLOCK) reader.write(character);
  expect(edits).toEqual([{ old: "a\n", new: "b\n" }]);
  expect(reader.end()).toEqual({ ok: true });
});

test("drops an incomplete marker at the end of the message", () => {
  expect(parseSearchReplace(BLOCK.slice(0, -5))).toMatchObject({
    edits: [{ old: "a\n", new: "b\n" }],
  });
});

test("recognises the divider among underlined headings by its length", () => {
  expect(
    parseSearchReplace("<<<<<<< SEARCH\nTitle\n=====\n=======\nOther\n=====\n>>>>>>> REPLACE"),
  ).toEqual({
    ok: true,
    edits: [{ old: "Title\n=====\n", new: "Other\n=====\n" }],
  });
});

test("skips line numbers that some models add", () => {
  expect(
    parseSearchReplace("<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE"),
  ).toMatchObject({ edits: [{ old: "a\n" }] });
});

test("accepts a block at the limit, and rejects one beyond it", () => {
  const read = (blockCharacters: number) => {
    const reader = createSearchReplaceReader({ onEdit: () => {}, limits: { blockCharacters } });
    reader.write(BLOCK);
    return reader.end().ok;
  };
  // "a", the divider and "b", each with its line break.
  expect(read(12)).toBe(true);
  expect(read(11)).toBe(false);
});

test("applies blocks as they arrive, and reports a failing one at once", () => {
  const applier = createEditApplier("  a\nc\n");
  const outcomes: unknown[] = [];
  const reader = createSearchReplaceReader({
    onEdit: (edit) => outcomes.push(applier.apply(edit)?.reason ?? "applied"),
  });
  for (const character of BLOCK) reader.write(character);
  expect(outcomes).toEqual(["applied"]);
  for (const character of BLOCK.replace("a", "d")) reader.write(character);
  expect(outcomes).toEqual(["applied", "not found"]);
  expect(reader.end()).toEqual({ ok: true });
  expect(applier.finish()).toMatchObject({ ok: false, failures: [{ edit: 1 }] });
});

test("a divider in place of the end mark ends the block", () => {
  const first = "<<<<<<< SEARCH\na\n=======\nb\n=======\n";
  const second = "<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n";
  expect(parseSearchReplace(first)).toEqual({
    ok: true,
    edits: [{ old: "a\n", new: "b\n" }],
    endGuessed: true,
  });
  expect(parseSearchReplace(first + second)).toMatchObject({
    edits: [{ new: "b\n" }, { old: "c\n", new: "d\n" }],
    endGuessed: true,
  });
  expect(parseSearchReplace(second)).not.toHaveProperty("endGuessed");
});

test.each(["<<<<<<< REPLACE", "------- REPLACE", "======= REPLACE"])("%s ends a block", (mark) => {
  expect(parseSearchReplace(`<<<<<<< SEARCH\na\n=======\nb\n${mark}\n`)).toEqual({
    ok: true,
    edits: [{ old: "a\n", new: "b\n" }],
  });
});

test("an edit has the line that its block states", () => {
  const block = (hint: string) => `<<<<<<< SEARCH\n${hint}-------\na\n=======\nb\n>>>>>>> REPLACE`;
  for (const hint of [":start_line:5\n", ":start_line: 5\n:end_line: 5\n", ":end_line:5\n:start_line:5\n"])
    expect(parseSearchReplace(block(hint))).toEqual({
      ok: true,
      edits: [{ old: "a\n", new: "b\n", line: 5 }],
    });
}); // prettier-ignore

test.each([
  ":start_line:3\n-------\na\n=======\n:start_line:3\n-------\nb",
  ":start_line:3\n-------a\n=======\nb",
  ":start_line:3\n:end_line:3\na\n=======\nb",
])("the stated line is not part of its text, in any form: %j", (inside) => {
  expect(parseSearchReplace(`<<<<<<< SEARCH\n${inside}\n>>>>>>> REPLACE`)).toEqual({
    ok: true,
    edits: [{ old: "a\n", new: "b\n", line: 3 }],
  });
});

test("a block with several dividers is reported with every possible division", () => {
  expect(parseSearchReplace("<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE")).toEqual({
    ok: true,
    edits: [{ old: "a\n", new: "b\n=======\nc\n", or: [{ old: "a\n=======\nb\n", new: "c\n" }] }],
  });
});
