import { expect, it } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";
import { MESSAGE_BYTES, MESSAGES, REPLIES, VALUES } from "./limits.ts";

const still = () => 0;
const answering = (body: string, type: string) =>
  boundedFetch(async () => new Response(body, { headers: { "content-type": type } }), still);
const EVENT = "data: {}\r\n\r\n";

it("an answer of the greatest length is read, a longer one breaks off", async () => {
  const whole = answering("x".repeat(MESSAGE_BYTES), "application/json");
  expect((await (await whole("http://a/")).text()).length).toBe(MESSAGE_BYTES);
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
