import type { LogEntry } from "@treadle/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const text = (piece: string) => ({ type: "text" as const, run: "r", id: "t", text: piece });

/** A client of the stream that disconnects after reading `count` entries. */
async function read(path: string, count: number, headers: Record<string, string> = {}) {
  const response = await server.api(path, { headers });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const entries: LogEntry[] = [];
  const ids: number[] = [];
  let buffer = "";
  let reset = false;
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  while (reader && entries.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    buffer += decoder.decode(value, { stream: true });
    const blocks = buffer.split("\n\n");
    buffer = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.includes("event: reset")) reset = true;
      const data = /^data: (\[.*)$/m.exec(block)?.[1];
      if (!data || block.includes("event: latest")) continue;
      entries.push(...(JSON.parse(data) as LogEntry[]));
      ids.push(Number(/^id: (\d+)$/m.exec(block)?.[1]));
      expect(ids.at(-1)).toBe(entries.at(-1)?.seq);
    }
  }
  await reader?.cancel();
  return { numbers: entries.map(({ seq }) => seq), entries, ids, reset };
}

describe("the live log", () => {
  it("F10 a client that disconnects and returns sees no gap and no duplicate, and the log continued", async () => {
    const id = await server.project();
    const path = `/api/projects/${id}/events`;
    const first = await read(path, 3);
    for (let n = 0; n < 500; n++) server.store.log.append(id, text(String(n)));
    const head = await server.store.log.head(id);
    const last = first.ids.at(-1) ?? 0;
    const second = await read(path, head - last, { "last-event-id": String(last) });
    const all = [...first.numbers.slice(0, last), ...second.numbers];
    expect(all).toEqual(Array.from({ length: head }, (_, index) => index + 1));
  });

  it("continues live after earlier entries, from `after` as from Last-Event-ID", async () => {
    const id = await server.project();
    const head = await server.store.log.head(id);
    const reading = read(`/api/projects/${id}/events?after=${head}`, 2);
    server.store.log.append(id, text("live"));
    server.store.log.append(id, text("more"));
    expect((await reading).numbers).toEqual([head + 1, head + 2]);
  });

  it("sends the newest turns of a long log first to a new page, and then all of it", async () => {
    const id = await server.project();
    const describe = (message: string) =>
      ({ type: "message", message, role: "user", text: message, queued: false }) as const;
    const path = `/api/projects/${id}/events?after=0&latest=first`;
    const latestOf = async (address: string) => {
      const response = await server.api(address);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let got = "";
      while (!/^data: \[.*\]$/m.test(got)) got += (await reader.read()).value ?? "";
      await reader.cancel();
      const sent = /^event: latest\ndata: (\[.*\])$/m.exec(got)?.[1];
      return sent === undefined ? undefined : (JSON.parse(sent) as LogEntry[]);
    };
    expect(await latestOf(path)).toBeUndefined();
    for (let n = 0; n < 1_200; n++) server.store.log.append(id, text(String(n)));
    server.store.log.append(id, describe("late"));
    server.store.log.append(id, text("answer"));
    await server.store.log.settled();
    const latest = await latestOf(path);
    const head = await server.store.log.head(id);
    expect(latest?.at(-1)?.seq).toBe(head);
    expect(latest?.[0]?.event.type).toBe("message");
    expect((await read(path, head)).numbers.slice(-head)).toEqual(
      Array.from({ length: head }, (_, index) => index + 1),
    );
    expect(await latestOf(path.replace("after=0", "after=1"))).toBeUndefined();
    // A return to an earlier message can only be applied to the whole log.
    server.store.log.append(id, {
      type: "restored",
      checkpoint: "c",
      revision: "r",
      label: "x",
    });
    await server.store.log.settled();
    expect(await latestOf(path)).toBeUndefined();
  });

  it("F11 tells a client with a later position than the log to start over", async () => {
    const id = await server.project();
    const { reset, numbers } = await read(`/api/projects/${id}/events`, 2, {
      "last-event-id": "9999",
    });
    expect(reset).toBe(true);
    expect(numbers[0]).toBe(1);
  });

  it("F19 a client that does not read blocks nothing and costs bounded memory", async () => {
    const id = await server.project();
    const slow = await server.api(`/api/projects/${id}/events`);
    const reader = slow.body?.getReader();
    const big = "x".repeat(10_000);
    for (let n = 0; n < 200; n++) server.store.log.append(id, text(big));
    const head = await server.store.log.head(id);
    const quick = await read(`/api/projects/${id}/events`, head);
    expect(quick.numbers).toHaveLength(head);
    // The slow client still receives everything in order once it reads again.
    let got = "";
    while (reader && !got.includes(`id: ${head}\n`))
      got += new TextDecoder().decode((await reader.read()).value);
    await reader?.cancel();
    expect(got.match(/"seq":/g)).toHaveLength(head);
  });

  it("ends when the project is removed", async () => {
    const id = await server.project();
    const response = await server.api(`/api/projects/${id}/events`);
    const ended = response.text();
    expect((await server.api(`/api/projects/${id}`, { method: "DELETE" })).status).toBe(200);
    await ended;
    expect((await server.api(`/api/projects/${id}/events`)).status).toBe(404);
  });
});
