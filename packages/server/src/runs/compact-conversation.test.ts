import type { StoredMessage } from "@treadle/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const compact = (id: string) => server.api(`/api/projects/${id}/compact`, { method: "POST" });

async function send(id: string, name: string, text: string): Promise<void> {
  const message = { id: name, role: "assistant", parts: [{ type: "text", text }] };
  await server.store.messages.put(id, message as StoredMessage);
}

describe("Compact now", () => {
  it("adds a summary after the history and logs what it saved", async () => {
    const id = await server.project();
    await send(id, "a1", "word ".repeat(10_000));
    await send(id, "a2", "The newest.");
    const before = await server.store.messages.list(id);
    expect(await (await compact(id)).json()).toEqual({ compacted: true });
    const after = await server.store.messages.list(id);
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({
      role: "user",
      metadata: { from: "treadle", kind: "summary", covered: { message: "a1", steps: 1 } },
    });
    const event = (await server.events(id)).find(({ type }) => type === "compacted");
    expect(event).toMatchObject({
      before: expect.any(Number),
      usage: { inputTokens: 0 },
      text: expect.stringContaining("summed up"),
    });
    // The summarised conversation is short: a second time there is nothing to do.
    expect(await (await compact(id)).json()).toEqual({ compacted: false });
  });

  it("changes nothing in a short conversation", async () => {
    const id = await server.project();
    expect(await (await compact(id)).json()).toEqual({ compacted: false });
    expect((await server.events(id)).some(({ type }) => type === "compacted")).toBe(false);
  });

  it("is refused during a turn", async () => {
    const id = await server.project();
    const going = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    server.turns.push(async () => {
      began.resolve();
      await going.promise;
    });
    await server.api(`/api/projects/${id}/messages`, { json: { text: "More" } });
    await began.promise;
    expect((await compact(id)).status).toBe(409);
    going.resolve();
  });
});
