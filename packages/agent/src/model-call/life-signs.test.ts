import { expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";

const ANSWER = `data: ${JSON.stringify({ id: "a", choices: [{ index: 0, delta: { content: "Well." }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

/** A provider that sends these pieces 100 s apart. */
async function run(pieces: string[]) {
  const clock = createFakeClock();
  const left = [...pieces];
  const fetch: typeof globalThis.fetch = async () => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = left.shift();
          if (piece === undefined) return controller.close();
          clock.advance(100_000);
          controller.enqueue(new TextEncoder().encode(piece));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const env = { OPENAI_BASE_URL: "http://models.test/v1" };
  const resolved = await createModelRegistry({ env, keys: new Map(), fetch }).resolve(
    "openai-compatible:small",
  );
  if (!resolved.ok) throw new Error(resolved.error.message);
  return tryRun(resolved.model.languageModel, { model: resolved.model, clock });
}

it("a model that thinks longer than a stream may be silent is waited for while its provider gives a sign of life", async () => {
  const { events } = await run([": thinking\n\n", ": thinking\n\n", ": thinking\n\n", ANSWER]);
  const texts = ofType(events, "text").map(({ text }) => text);
  expect(texts.join("")).toBe("Well.");
  expect(ofType(events, "run-end")).toMatchObject([{ outcome: "done" }]);
});
