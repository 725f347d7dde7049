import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
afterEach(() => server.close());

const json = async (response: Response) => ({
  status: response.status,
  body: await response.json(),
});

it("lists the project's rules, and switches them off for the next turn", async () => {
  server = await startTestServer();
  const id = await server.project();
  const headers = { "if-none-match": "*" };
  const saved = { method: "PUT", json: { text: "Use tabs." }, headers };
  await server.api(`/api/projects/${id}/files/AGENTS.md`, saved);
  const path = `/api/projects/${id}/rules`;
  const rule = { path: "AGENTS.md", size: 9, state: "told" };
  const body = { rules: [rule], changed: [] };
  expect(await json(await server.api(path))).toEqual({ status: 200, body });
  const off = await server.api(path, { method: "PUT", json: { path: "AGENTS.md", on: false } });
  expect(await json(off)).toMatchObject({ body: { rules: [{ ...rule, state: "off" }] } });
  const sent = { text: "Go on", open: ["AGENTS.md"] };
  await server.api(`/api/projects/${id}/messages`, { json: sent });
  await server.until(id, (event) => event.type === "run-end" && server.requests.length === 2);
  expect(server.requests[1]).toMatchObject({ rulesOff: ["AGENTS.md"], open: ["AGENTS.md"] });
  const on = await server.api(path, { method: "PUT", json: { path: "AGENTS.md", on: true } });
  expect(await json(on)).toMatchObject({ body: { rules: [rule] } });
});

it("stores the person's own rules up to a limit, and deletes them when they are empty", async () => {
  server = await startTestServer();
  const put = async (text: string) =>
    json(await server.api("/api/rules", { method: "PUT", json: { text } }));
  const settings = { text: "Say du.", others: [], limit: 16_000 };
  expect(await put("Say du.")).toEqual({ status: 200, body: settings });
  expect((await put("x".repeat(16_001))).status).toBe(413);
  expect(await json(await server.api("/api/rules"))).toEqual({ status: 200, body: settings });
  expect((await put(" ")).body).toMatchObject({ text: "" });
});
