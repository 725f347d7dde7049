import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  id = await server.project();
  const workspace = server.workspace(id);
  workspace.put("package.json", '{"scripts":{"start":"node ."}}');
  workspace.answer = (request, response) => {
    if (request.url === "/large") return void response.end("x".repeat(300_000));
    if (request.url === "/bytes") return void response.end(Buffer.from([0xff, 0xfe, 0]));
    if (request.url === "/broken") return void request.socket.destroy();
    if (request.url === "/moved") return void response.writeHead(302, { location: "/" }).end();
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      const { method, url, headers } = request;
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ method, url, headers, body }));
    });
  };
  await server.api(`/api/projects/${id}/server`, { json: { action: "start" } });
  await vi.waitFor(() => expect(workspace.server?.state).toBe("up"));
});
afterAll(() => server.close());

interface Answer {
  status: number;
  text?: string;
  isCut: boolean;
  error?: { code: string };
}
async function ask(path: string, more: object = {}) {
  const json = { port: 5173, method: "GET", path, headers: [], ...more };
  const response = await server.api(`/api/projects/${id}/app/requests`, { json });
  return { code: response.status, answer: (await response.json()) as Answer };
}

it("sends a method, headers and a body to the app, and returns its response", async () => {
  const { answer } = await ask("/tasks?done=1", {
    method: "POST",
    headers: [
      ["content-type", "application/json"],
      ["content-length", "1"],
      ["host", "elsewhere"],
    ],
    body: '{"text":"Milk"}',
  });
  expect(answer.status).toBe(201);
  expect(JSON.parse(answer.text!)).toMatchObject({
    method: "POST",
    url: "/tasks?done=1",
    body: '{"text":"Milk"}',
    headers: { "content-type": "application/json", "content-length": "15", host: "localhost:5173" },
  });
});

it("reads the beginning of a long response, returns no text for binary data, and follows no redirect", async () => {
  const { answer: large } = await ask("/large");
  expect(large).toMatchObject({ status: 200, isCut: true });
  expect(large.text).toHaveLength(256 * 1024);
  expect((await ask("/bytes")).answer.text).toBeUndefined();
  expect((await ask("/moved")).answer.status).toBe(302);
});

it("reports that the app did not answer, and refuses invalid addresses and headers", async () => {
  expect(await ask("/broken")).toMatchObject({
    code: 409,
    answer: { error: { code: "no-answer" } },
  });
  for (const path of ["http://elsewhere/", "/a b", "/a\r\nx: y"])
    expect((await ask(path)).code).toBe(400);
  expect((await ask("/", { headers: [["a\r\nb", "c"]] })).code).toBe(400);
  expect((await ask("/", { method: "GET /x" })).code).toBe(400);
});
