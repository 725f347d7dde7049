import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { showPage } from "./show-page.ts";

const api: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end("[]");
const page: RequestListener = (_request, response) =>
  void response
    .writeHead(200, { "content-type": "text/html" })
    .end("<!doctype html><script src=a.js></script>");
const words: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("API is running");

async function shown(serves: RequestListener[], dev = "concurrently a b") {
  const [first, ...others] = serves;
  const workspace = createFakeWorkspace({
    files: { "package.json": JSON.stringify({ scripts: { dev } }) },
    serve: () => first,
  });
  const order: number[] = [];
  workspace.showPort = (port) => void order.push(port);
  await workspace.start("npm run dev");
  for (const other of others) workspace.openPort(other);
  const { signal } = new AbortController();
  await showPage(workspace, { clock: createFakeClock(), signal });
  return { order, ports: workspace.server!.ports };
}

it.each([
  ["an API", api],
  ["an API that says in HTML that it runs", words],
])("shows the page where %s has opened its port first", async (_what, first) => {
  const { order, ports } = await shown([first, page]);
  expect(order).toEqual([ports[1]]);
});

it("keeps the order if no port has a page", async () => {
  expect((await shown([api, api])).order).toEqual([]);
});

it("requests nothing of a server with one port and no child servers", async () => {
  expect((await shown([page], "vite")).order).toEqual([]);
});
