import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";
import { TERMINAL_STREAMS } from "./terminal-streams.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const keyOf = async (response: Response) => {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  return { reader, key: /"key":"([^"]+)"/.exec(new TextDecoder().decode(value))![1]! };
};
const type = (path: string, key: string) =>
  server.api(path, { method: "POST", json: { key, messages: ['{"type":"data","data":"ls"}'] } });

it("only the reader of a terminal's stream can type into it, and only into that one", async () => {
  const id = await server.project();
  const path = `/api/projects/${id}/terminals/1`;
  const { reader, key } = await keyOf(await server.api(`${path}/events?columns=80&rows=24`));
  expect((await type(`${path}/input`, key)).status).toBe(200);
  expect((await type(`${path}/input`, "another")).status).toBe(404);
  expect((await type(`/api/projects/${id}/terminals/2/input`, key)).status).toBe(404);
  await reader.cancel();
  await expect.poll(async () => (await type(`${path}/input`, key)).status).toBe(404);
});

it("A66 refuses streams over the limit with a message", async () => {
  const id = await server.project();
  const path = `/api/projects/${id}/terminals/server/events`;
  const open = await Promise.all(
    Array.from({ length: TERMINAL_STREAMS }, async () => keyOf(await server.api(path))),
  );
  const refused = await server.api(path);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    error: { code: "too-many", messageCode: { values: { limit: TERMINAL_STREAMS } } },
  });
  await Promise.all(open.map(({ reader }) => reader.cancel()));
});

it("A94 a HEAD request takes no stream's place, and leaves nothing open", async () => {
  const id = await server.project();
  const path = `/api/projects/${id}/terminals/server/events`;
  for (let asked = 0; asked <= TERMINAL_STREAMS; asked++)
    expect((await server.api(path, { method: "HEAD" })).status).toBe(200);
  const { reader } = await keyOf(await server.api(path));
  await reader.cancel();
});
