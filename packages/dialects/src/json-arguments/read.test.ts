import { expect, test } from "vitest";
import { createArgumentReader } from "./read.ts";
import type { ArgumentEvent, ArgumentLimits } from "./types.ts";

function read(pieces: Iterable<string>, limits: Partial<ArgumentLimits> = {}): ArgumentEvent[] {
  const events: ArgumentEvent[] = [];
  const reader = createArgumentReader({ onEvent: (event) => events.push(event), limits });
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return events;
}

test("outputs strings decoded while they stream", () => {
  expect(read(['{"path":"a.ts","con', 'tent":"one\\', 'ntwo","all":tr', "ue}"])).toEqual([
    { type: "string-open", path: ["path"] },
    { type: "string-delta", path: ["path"], text: "a.ts" },
    { type: "string-close", path: ["path"], complete: true },
    { type: "string-open", path: ["content"] },
    { type: "string-delta", path: ["content"], text: "one" },
    { type: "string-delta", path: ["content"], text: "\n" },
    { type: "string-delta", path: ["content"], text: "two" },
    { type: "string-close", path: ["content"], complete: true },
    { type: "value", path: ["all"], value: true },
    { type: "end", complete: true },
  ]);
});

test("F1 closes a cut string as incomplete", () => {
  expect(read(['{"content":"half'])).toEqual([
    { type: "string-open", path: ["content"] },
    { type: "string-delta", path: ["content"], text: "half" },
    { type: "string-close", path: ["content"], complete: false },
    { type: "end", complete: false },
  ]);
});

test("never outputs half of a surrogate pair", () => {
  const deltas = read(['"\\ud83d', "\\ude00\ud83d", '\ude00"']).flatMap((event) =>
    event.type === "string-delta" ? [event.text] : [],
  );
  expect(deltas).toEqual(["\u{1f600}", "\u{1f600}"]);
});

test("accepts line breaks inside strings and trailing commas", () => {
  expect(read(['{"a":"x\ny",}']).at(-1)).toEqual({ type: "end", complete: true });
});

test("F6 reports malformed JSON and does not throw", () => {
  for (const text of ['{"a" 1}', "{a:1}", '"\\x"', "[1 2]", "nul ", "{}{}"])
    expect(read([text]).at(-1)).toMatchObject({
      type: "end",
      complete: false,
      problem: expect.any(String),
    });
});

test("accepts input at the limits, and rejects input beyond them", () => {
  expect(read(["[[1]]"], { depth: 2 }).at(-1)).toMatchObject({ complete: true });
  expect(read(["[[[1]]]"], { depth: 2 }).at(-1)).toMatchObject({ problem: expect.any(String) });
  expect(read(['{"1234":1}'], { tokenCharacters: 4 }).at(-1)).toMatchObject({ complete: true });
  expect(read(['{"12345":1}'], { tokenCharacters: 4 }).at(-1)).toMatchObject({
    problem: expect.any(String),
  });
});
