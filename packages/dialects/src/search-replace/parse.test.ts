import { expect, test } from "vitest";
import { createEditApplier } from "../edits/apply.ts";
import { createSearchReplaceReader, parseSearchReplace } from "./parse.ts";

const BLOCK = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n";

test("gives a block out as soon as it is closed", () => {
  const edits: unknown[] = [];
  const reader = createSearchReplaceReader({ onEdit: (edit) => edits.push(edit) });
  for (const character of BLOCK) reader.write(character);
  expect(edits).toEqual([{ old: "a\n", new: "b\n" }]);
  expect(reader.end()).toEqual({ ok: true });
});

test("drops a last marker that the message was cut in", () => {
  expect(parseSearchReplace(BLOCK.slice(0, -5))).toMatchObject({
    edits: [{ old: "a\n", new: "b\n" }],
  });
});

test("knows the divider among underlined headings by its length", () => {
  expect(
    parseSearchReplace("<<<<<<< SEARCH\nTitle\n=====\n=======\nOther\n=====\n>>>>>>> REPLACE"),
  ).toEqual({
    ok: true,
    edits: [{ old: "Title\n=====\n", new: "Other\n=====\n" }],
  });
});

test("passes over line numbers that some models add", () => {
  expect(
    parseSearchReplace("<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE"),
  ).toMatchObject({ edits: [{ old: "a\n" }] });
});

test("reads a block at the limit, and refuses one past it", () => {
  const read = (blockCharacters: number) => {
    const reader = createSearchReplaceReader({ onEdit: () => {}, limits: { blockCharacters } });
    reader.write(BLOCK);
    return reader.end().ok;
  };
  // "a", the divider and "b", each with its line break.
  expect(read(12)).toBe(true);
  expect(read(11)).toBe(false);
});

test("blocks are applied as they arrive, and the one that fails is known at once", () => {
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

test("a divider in the place of the end mark ends the block", () => {
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

test("an edit has the line that its block names", () => {
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
])("the line that a block names is no part of its text, however it is written: %j", (inside) => {
  expect(parseSearchReplace(`<<<<<<< SEARCH\n${inside}\n>>>>>>> REPLACE`)).toEqual({
    ok: true,
    edits: [{ old: "a\n", new: "b\n", line: 3 }],
  });
});

test("a block with several dividers is told in every way in which it can be divided", () => {
  expect(parseSearchReplace("<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE")).toEqual({
    ok: true,
    edits: [{ old: "a\n", new: "b\n=======\nc\n", or: [{ old: "a\n=======\nb\n", new: "c\n" }] }],
  });
});
