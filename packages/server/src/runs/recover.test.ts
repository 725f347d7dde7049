import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@treadle/store";
import { afterAll, describe, expect, it } from "vitest";
import { startTestServer } from "../server.test-support.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-recover-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("a start after a kill", () => {
  it("F8 ends an interrupted run as such, loses no prompt, and continues on request", async () => {
    const store = await openStore({ directory });
    await store.projects.create({
      id: "p",
      name: "P",
      createdAt: 1,
      updatedAt: 1,
      capability: "k",
      queue: [
        { message: "m1", run: "r1", text: "One", model: "fake:one", started: true },
        { message: "m2", run: "r2", text: "Two", model: "fake:one", started: false },
        { message: "m3", run: "r3", text: "Three", model: "fake:one", started: false },
      ],
    });
    const append = (event: Parameters<typeof store.log.append>[1]) => store.log.append("p", event);
    append({ type: "message", message: "m1", role: "user", text: "One", queued: false });
    append({ type: "message", message: "m2", role: "user", text: "Two", queued: true });
    append({ type: "run-start", run: "r1", message: "m1", model: "fake:one", dialect: "native" });
    append({ type: "call-open", run: "r1", call: "c1", tool: "write_file" });
    await store.messages.put("p", { id: "m1", role: "user", parts: [] });
    await store.close();

    const server = await startTestServer(directory);
    const events = await server.events("p");
    expect(
      events.slice(4).map((event) => [event.type, "run" in event ? event.run : undefined]),
    ).toEqual([
      ["call-end", undefined],
      ["run-end", "r1"],
      ["run-start", "r2"],
      ["run-end", "r2"],
      ["message", undefined],
      ["run-start", "r3"],
      ["run-end", "r3"],
    ]);
    expect(events.filter(({ type }) => type === "run-end")).toMatchObject(
      Array(3).fill({ outcome: "interrupted", error: { code: "restarted", canContinue: true } }),
    );
    const messages = await server.store.messages.list("p");
    expect(messages.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
    const response = await server.api("/api/projects/p/continue", { method: "POST" });
    expect(response.status).toBe(202);
    await server.until("p", (event) => event.type === "run-end" && event.outcome === "done");
    await server.close();

    const again = await startTestServer(directory);
    const more = (await again.events("p")).filter((event) => event.type === "run-end");
    expect(more).toHaveLength(4);
    await again.close();
  });

  it("a server that is closed during a run ends it, and keeps the queue for the next start", async () => {
    const server = await startTestServer(directory);
    server.turns.push(
      ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ outcome: "stopped" })),
        ),
    );
    const { id } = (await (
      await server.api("/api/projects", { json: { prompt: "One" } })
    ).json()) as { id: string };
    await server.api(`/api/projects/${id}/messages`, { json: { text: "Two" } });
    await server.until(id, ({ type }) => type === "run-start");
    await server.close();
    const again = await startTestServer(directory);
    const ends = (await again.events(id)).filter((event) => event.type === "run-end");
    expect(ends).toMatchObject([{ outcome: "interrupted" }, { outcome: "interrupted" }]);
    await again.close();
  });
});
