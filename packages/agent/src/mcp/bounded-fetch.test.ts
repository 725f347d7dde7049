import { expect, it } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";
import { MESSAGE_BYTES, MESSAGES, REPLIES, VALUES } from "./limits.ts";

const still = () => 0;
const answering = (body: string, type: string) =>
  boundedFetch(async () => new Response(body, { headers: { "content-type": type } }), still);
const EVENT = "data: {}\r\n\r\n";

it("an answer of the greatest length is read, a longer one breaks off", async () => {
  const oversized = answering("x".repeat(MESSAGE_BYTES), "application/json");
  expect((await (await oversized("http://a/")).text()).length).toBe(MESSAGE_BYTES);
  const more = answering("x".repeat(MESSAGE_BYTES + 1), "application/json");
  await expect((await more("http://a/")).text()).rejects.toMatchObject({ code: "too-large" });
});

it("a stream may be of any length, no event of it, nor too many of them at once", async () => {
  const long = answering(
    `data: ${"x".repeat(MESSAGE_BYTES - 100)}\n\n`.repeat(2),
    "text/event-stream",
  );
  expect((await (await long("http://a/")).text()).length).toBeGreaterThan(MESSAGE_BYTES);
  const huge = answering(`data: ${"x".repeat(MESSAGE_BYTES)}\n\n`, "text/event-stream");
  await expect((await huge("http://a/")).text()).rejects.toMatchObject({ code: "too-large" });
  const all = answering(EVENT.repeat(MESSAGES.burst), "text/event-stream");
  await (await all("http://a/")).text();
  const values = answering(`data: [${"1,".repeat(VALUES)}1]\n\n`, "text/event-stream");
  await expect((await values("http://a/")).text()).rejects.toMatchObject({ code: "too-large" });
  const flood = answering(EVENT.repeat(MESSAGES.burst + 1), "text/event-stream");
  await expect((await flood("http://a/")).text()).rejects.toMatchObject({ code: "flood" });
});

it.each(["\n", "\r", "\r\n", "\n\r", "\r\n\r"])(
  "A77 events are counted however their lines end: %j",
  async (end) => {
    const event = `data: {}${end}${end}`;
    const flood = answering(event.repeat(MESSAGES.burst + 1), "text/event-stream");
    await expect((await flood("http://a/")).text()).rejects.toMatchObject({ code: "flood" });
    const all = answering(event.repeat(MESSAGES.burst / 4), "text/event-stream");
    await (await all("http://a/")).text();
  },
);

it.each([': "', 'event: "', 'id: \\"', 'data: "', 'retry: ["'])(
  "A77 a quote in a line before hides no value: %j",
  async (line) => {
    const event = `${line}\ndata: [${"1,".repeat(VALUES)}1]\n\n`;
    const hidden = answering(event, "text/event-stream");
    await expect((await hidden("http://a/")).text()).rejects.toMatchObject({ code: "too-large" });
  },
);

it("A77 an event that is cut between its line ends is one", async () => {
  const pieces = ["data: {}\r", "\n", "\r", "\n"].map((piece) => new TextEncoder().encode(piece));
  const times = MESSAGES.burst;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (++sent === times) controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const read = boundedFetch(async () => new Response(body, { headers }), still);
  expect((await (await read("http://a/")).text()).length).toBe(times * EVENT.length);
});

it("answers to what the server asks are not sent without end", async () => {
  let sent = 0;
  const send = boundedFetch(async () => {
    sent++;
    return new Response(null, { status: 202 });
  }, still);
  const reply = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });
  for (let count = 0; count < REPLIES.burst + 20; count++)
    await send("http://a/", { method: "POST", body: reply });
  expect(sent).toBe(REPLIES.burst);
  await send("http://a/", {
    method: "POST",
    body: '{"method":"tools/list","jsonrpc":"2.0","id":1}',
  });
  expect(sent).toBe(REPLIES.burst + 1);
});
