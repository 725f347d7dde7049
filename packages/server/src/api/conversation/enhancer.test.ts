import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const improve = (json: unknown) => server.api("/api/enhancer", { method: "POST", json });

it("reports that there is no model, and leaves the text unchanged", async () => {
  server.models.chosen = undefined;
  const response = await improve({ message: "todo app" });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ error: { code: "model-missing" } });
});

it.each([[{}], [{ message: "  " }], [{ message: "x".repeat(20_001) }]])(
  "refuses invalid input",
  async (json) => {
    expect((await improve(json)).status).toBe(400);
  },
);

it("refuses an unknown model", async () => {
  const response = await improve({ message: "todo app", model: "fake:nine" });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await response.json()).toMatchObject({ error: { code: "model-unknown" } });
});

it("accepts the body of bolt.diy's page, which does not declare JSON", async () => {
  server.models.chosen = undefined;
  const headers = { "content-type": "text/plain;charset=UTF-8" };
  const body = JSON.stringify({
    message: "todo app",
    model: "gpt-9",
    provider: { name: "OpenAI", staticModels: [] },
    apiKeys: { OpenAI: "not read" },
  });
  const response = await server.api("/api/enhancer", { method: "POST", body, headers });
  expect(await response.json()).toMatchObject({
    error: { code: "model-unknown", message: "There is no model openai:gpt-9." },
  });
});

it("names what is wrong with the body, to bolt's clients and others", async () => {
  const sent = async (path: string, body: string, type = "application/json") => {
    const headers = { "content-type": type };
    const response = await server.api(path, { method: "POST", body, headers });
    return `${response.status} ${JSON.stringify(await response.json())}`;
  };
  for (const path of ["/api/enhancer", "/api/chat", "/api/projects"])
    expect(await sent(path, '{"message":')).toMatch(/^400 .*The body is not valid JSON\./);
  expect(await sent("/api/projects", "{}", "text/plain")).toMatch(
    /^415 .*Content-Type: application\/json/,
  );
});

it("treats an empty body declared as JSON as an empty object", async () => {
  const push = `/api/projects/${await server.project()}/git/push`;
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${server.treadle.token}`,
  };
  const { url } = await server.listen();
  for (const response of [
    await server.api(push, { method: "POST", headers }),
    await fetch(url + push, { method: "POST", headers }),
  ])
    expect(await response.text()).toContain("no repository yet");
});
