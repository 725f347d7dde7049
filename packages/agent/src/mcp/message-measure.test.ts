import { expect, it } from "vitest";
import { MESSAGE_BYTES, VALUES } from "./limits.ts";
import { createMessageMeasure } from "./message-measure.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it("a message may have a limited number of values and bytes; the next one is counted from zero", () => {
  const measure = createMessageMeasure();
  // The opening bracket counts as one value, and each comma as another.
  expect(measure.add(bytes(`[1${",1".repeat(VALUES - 1)}`))).toBeUndefined();
  expect(measure.add(bytes(",1]"))?.message).toContain("100,000 values");
  measure.reset();
  expect(measure.add(new Uint8Array(MESSAGE_BYTES))).toBeUndefined();
  expect(measure.add(new Uint8Array(1))?.message).toContain("4 MB");
});

it("text inside strings does not count as values, wherever the pieces are split", () => {
  const text = JSON.stringify({ a: ",[{".repeat(VALUES), b: 'a "quoted", \\ text' });
  const measure = createMessageMeasure();
  for (let at = 0; at < text.length; at += 7)
    expect(measure.add(bytes(text.slice(at, at + 7)))).toBeUndefined();
});
