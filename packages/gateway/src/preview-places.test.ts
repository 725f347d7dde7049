import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  ask,
  startGateway,
  startUpstream,
  testPreview,
  type TestGateway,
} from "./gateway.test-support.ts";
import { PREVIEW_PLACES } from "./places.ts";

/** An app that only answers `/now`, and keeps all other requests open. */
const apps = ["abc", "xyz"].map((project) => ({ project, waiting: 0, close: async () => {} }));
let gateway: TestGateway;
beforeAll(async () => {
  const previews = await Promise.all(
    apps.map(async (app) => {
      const upstream = await startUpstream((incoming, response) => {
        if (incoming.url === "/now") return void response.end("now");
        app.waiting++;
        response.once("close", () => app.waiting--);
      });
      upstream.server.on("upgrade", (_, socket) => {
        app.waiting++;
        // Without reading, the end of the connection would not be noticed.
        socket.on("error", () => undefined).resume();
        socket.once("end", () => {
          app.waiting--;
          socket.destroy();
        });
      });
      app.close = upstream.close;
      return [app.project, testPreview([upstream.port], { project: app.project })] as const;
    }),
  );
  gateway = await startGateway(Object.fromEntries(previews));
});
afterAll(async () => {
  await gateway.close();
  for (const { close } of apps) await close();
});

const now = async (project: string) =>
  (await ask({ port: gateway.port, host: `${project}.localhost`, path: "/now" })).status;

it("A66 a preview that keeps everything open is limited to its share, and others have theirs", async () => {
  const [first] = apps;
  const host = "abc.localhost";
  const open = Array.from({ length: PREVIEW_PLACES.requests }, () =>
    request({ port: gateway.port, host: "127.0.0.1", headers: { host }, agent: false })
      .on("error", () => undefined)
      .end(),
  );
  await expect.poll(() => first?.waiting).toBe(PREVIEW_PLACES.requests);
  expect(await now("abc")).toBe(503);
  expect(await now("xyz")).toBe(200);
  open[0]?.destroy();
  await expect.poll(() => now("abc")).toBe(200);
  for (const one of open) one.destroy();
  await expect.poll(() => first?.waiting).toBe(0);
});

it("A66 the same for WebSockets, even if the app never accepts them", async () => {
  const [, second] = apps;
  const dial = (project: string) => {
    const headers = { host: `${project}.localhost` };
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/`, { headers });
    socket.on("error", () => undefined);
    const status = new Promise<number | undefined>((resolve) => {
      socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
    });
    return { socket, status };
  };
  const open = Array.from({ length: PREVIEW_PLACES.sockets }, () => dial("xyz"));
  await expect.poll(() => second?.waiting).toBe(PREVIEW_PLACES.sockets);
  expect(await dial("xyz").status).toBe(503);
  expect(await now("xyz")).toBe(200);
  for (const { socket } of open) socket.terminate();
  await expect.poll(() => second?.waiting).toBe(0);
  const next = dial("xyz");
  await expect.poll(() => second?.waiting).toBe(1);
  next.socket.terminate();
});
