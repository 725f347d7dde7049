import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const probe = (path: string, init?: RequestInit) =>
  server.treadle.fetch(new Request(`http://10.2.3.4:4173${path}`, init));

it("answers whoever supervises the process, at its address and without sign-in, with one word", async () => {
  for (const [path, word] of [
    ["/healthz", "ok"],
    ["/readyz", "ready"],
  ] as const) {
    const response = await probe(path);
    expect([response.status, await response.text()]).toEqual([200, word]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  // At that address, nothing else is answered.
  expect((await probe("/api/health")).status).toBe(403);
  expect((await probe("/healthz", { method: "POST" })).status).toBe(403);
});

it("is not ready once its store is closed, and still alive", async () => {
  const closed = await startTestServer();
  await closed.close();
  const ask = (path: string) => closed.treadle.fetch(new Request(`http://10.2.3.4:4173${path}`));
  expect((await ask("/readyz")).status).toBe(503);
  expect((await ask("/healthz")).status).toBe(200);
});
