import type { LogEvent } from "@treadle/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflateRawSync } from "node:zlib";
import { cutText, UNCUT_BYTES, uncutText } from "./long-text.ts";

const call = "c";
/** Any text of up to some ten thousand characters, including half surrogate pairs. */
const anyText = fc
  .tuple(
    fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      maxLength: 40,
    }),
    fc.integer({ min: 1, max: 400 }),
  )
  .map(([piece, times]) => piece.repeat(times));

const kinds: ((text: string) => LogEvent)[] = [
  (text) => ({ type: "call-delta", call, field: "content", text, whole: true }),
  (text) => ({ type: "output", call, text, whole: true }),
  (result) => ({ type: "call-end", call, status: "ok", title: "Read a", result, ms: 1 }),
];

describe("a long text of a call", () => {
  it("is shortened in the log and can be restored with its stored body, for any text (property)", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...kinds), (text, make) => {
        const event = make(text);
        const cut = cutText(event);
        expect(cut === undefined).toBe(text.length <= 2_000);
        if (!cut) return;
        expect(JSON.stringify(cut.event).length).toBeLessThan(12_000);
        expect(cut.event).toMatchObject({ cut: text.length });
        expect(uncutText(cut.event, cut.body)).toEqual(event);
        // Shortening again changes nothing.
        expect(cutText(cut.event)).toBeUndefined();
      }),
    );
  });

  it("shows its head and tail, and says how much is missing between them", () => {
    const cut = cutText(kinds[1]!(`first${"x".repeat(5_000)}last`))!.event as { text: string };
    expect(cut.text).toMatch(/^firstx+\n… 4,009 characters left out here …\nx+last$/);
  });

  it("is only shortened for calls: a model's own text stays complete", () => {
    const message: LogEvent = { type: "text", run: "r", id: "t", text: "x".repeat(9_000) };
    expect(cutText(message)).toBeUndefined();
  });
});

it("A97 an invalid or oversized body leaves the event as it is in the log", () => {
  const event: LogEvent = { type: "output", call, text: "head … tail", cut: 5_000 };
  for (const body of [Buffer.from("x"), deflateRawSync(Buffer.alloc(UNCUT_BYTES + 1))])
    expect(uncutText(event, body)).toEqual(event);
});
