import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const stopLook = async (id: string) =>
  (await server.api(`/api/projects/${id}/look/stop`, { method: "POST" })).json();

it("stops the look of a run, and the run continues", async () => {
  server.turns.push(async (request, ports, { emit }) => {
    const look = ports.beginLook!();
    emit({ type: "waiting", run: request.run, reason: "server", text: "looking" });
    await new Promise((resolve) => look.signal.addEventListener("abort", resolve));
    look.end();
    return { summary: request.signal.aborted ? "stopped" : "went on" };
  });
  const made = await server.api("/api/projects", { json: { prompt: "One" } });
  const { id } = (await made.json()) as { id: string };
  await server.until(id, ({ type }) => type === "waiting");
  expect(await stopLook(id)).toEqual({ stopped: true });
  const { event } = await server.until(id, ({ type }) => type === "run-end");
  expect(event).toMatchObject({ outcome: "done", summary: "went on" });
  expect(await stopLook(id)).toEqual({ stopped: false });
});
