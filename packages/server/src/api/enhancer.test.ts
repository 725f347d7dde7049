import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const improve = (json: unknown) => server.api("/api/enhancer", { method: "POST", json });

it("says that there is no model, and that the text stays as it is", async () => {
  server.models.chosen = undefined;
  const response = await improve({ message: "todo app" });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ error: { code: "model-missing" } });
});

it.each([[{}], [{ message: "  " }], [{ message: "x".repeat(20_001) }]])(
  "refuses what is no text to improve",
  async (json) => {
    expect((await improve(json)).status).toBe(400);
  },
);

it("refuses a model that there is not", async () => {
  const response = await improve({ message: "todo app", model: "fake:nine" });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await response.json()).toMatchObject({ error: { code: "model-unknown" } });
});
