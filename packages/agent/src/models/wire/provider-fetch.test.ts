import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerLimitError } from "../errors/model-failure.ts";
import { ERROR_BYTES, LINE_BYTES } from "./limits.ts";
import { providerFetch } from "./provider-fetch.ts";

const EVENTS = { headers: { "content-type": "text/event-stream" } };

/** What a library reads from a response that arrives in these pieces. */
async function read(
  pieces: (string | Uint8Array)[],
  init: ResponseInit = EVENTS,
  secrets: string[] = [],
) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      controller.close();
    },
  });
  const fetch = providerFetch(async () => new Response(body, init), secrets);
  return (await fetch("http://x")).text();
}

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const reasons = (text: string) =>
  [...text.matchAll(/"finish_reason":"(\w+)"/g)].map(([, one]) => one);

describe("a stream of Chat Completions", () => {
  it("that ends with [DONE] has one reason, wherever its bytes are divided", async () => {
    const words = chunk({ content: 'Grüße 🙂 "finish_reason":"length" data: [DONE]' });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(null, "stop", "tool_calls"),
        fc.constantFrom("data: [DONE]\n\n", "data:[DONE]", "data: [DONE]\r\n"),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }),
        async (reason, done, places) => {
          const body = new TextEncoder().encode(words + (reason ? chunk({}, reason) : "") + done);
          const cuts = [0, ...places.map((place) => Math.floor(place * body.length)), body.length];
          cuts.sort((a, b) => a - b);
          const pieces = cuts.slice(1).map((to, index) => body.slice(cuts[index], to));
          const text = await read(pieces);
          expect(reasons(text)).toEqual([reason ?? "stop"]);
          expect(text.replace(/data: \{"id":"end".*\n\n/, "")).toBe(new TextDecoder().decode(body));
        },
      ),
    );
  });

  it("without [DONE] it stays unchanged: it may have been cut off", async () => {
    const text = chunk({ content: "half" });
    expect(await read([text])).toBe(text);
    expect(await read([`${text}data: [DO`])).toBe(`${text}data: [DO`);
  });
});

describe("the limits of an answer", () => {
  it("end one that goes over them in one piece, and none that is at them", async () => {
    const piece = new Uint8Array(1024 * 1024).fill(120);
    const count = LINE_BYTES / piece.length;
    expect(await read([...Array<Uint8Array>(count).fill(piece), "\n"])).toHaveLength(
      LINE_BYTES + 1,
    );
    await expect(read([...Array<Uint8Array>(count).fill(piece), "x\n"])).rejects.toThrow(
      AnswerLimitError,
    );
  });
});

describe("an error's body", () => {
  it("comes without the secrets that the request was made with, and is not read for ever", async () => {
    const body = `The key hunter2 is wrong. ${"x".repeat(ERROR_BYTES)}`;
    const text = await read([body], { status: 401 }, ["hunter2"]);
    expect(text).toMatch(/^The key \(key\) is wrong/);
    expect(text.length).toBeLessThanOrEqual(ERROR_BYTES);
  });
});
