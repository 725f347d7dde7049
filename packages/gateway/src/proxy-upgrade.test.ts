import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, it } from "vitest";
import { readRequestTarget } from "@treadle/common";
import { proxyUpgrade } from "./proxy-upgrade.ts";
import { createSocketHolder } from "./socket-holder.ts";

it("A159 does not wait forever for an app that never answers an upgrade", async () => {
  const silent = createTcpServer((socket) => void socket.resume().on("error", () => {}));
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const front = createServer().on("upgrade", (request, client, head) => {
    const socket = connect((silent.address() as AddressInfo).port, "127.0.0.1");
    proxyUpgrade(request, client, head, {
      socket,
      target: readRequestTarget("/")!,
      headers: { host: ["x"] },
      answerHeaders: () => ({}),
      answerMs: 20,
    });
  });
  await once(front.listen(0, "127.0.0.1"), "listening");
  const socket = connect((front.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.setEncoding("latin1").on("data", (piece: string) => (received += piece));
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await once(socket, "close");
  expect(received).toMatch(/^HTTP\/1\.1 504 /);
  front.close();
  silent.close();
});

/** Two ends of one connection. */
async function pair() {
  const server = createTcpServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const far = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [near] = await once(server, "connection");
  server.close();
  return { near, far };
}

it("A159 a WebSocket is idle until the app has answered, and again after a silence", async () => {
  const { near, far } = await pair();
  const holder = createSocketHolder(near, { idleMs: 40 });
  expect(holder.isIdle()).toBe(true);
  holder.agreed();
  expect(holder.isIdle()).toBe(false);
  await expect.poll(() => holder.isIdle()).toBe(true);
  near.resume();
  far.write("here");
  await once(near, "data");
  expect(holder.isIdle()).toBe(false);
  near.destroy();
  far.destroy();
});

it("A159 closes a WebSocket after a long silence", async () => {
  const { near, far } = await pair();
  createSocketHolder(near, { idleMs: 20, endMs: 30 }).agreed();
  await once(far.resume(), "close");
  expect(near.destroyed).toBe(true);
});

it("A159 keeps a WebSocket open whose client only answers pings, but counts it as idle", async () => {
  const { near, far } = await pair();
  let own = 0;
  const holder = createSocketHolder(near, { idleMs: 20, endMs: 60, ownBytes: () => own });
  holder.agreed();
  const timer = setInterval(() => ((own += 6), far.write("answer")), 5);
  onTestFinished(() => {
    clearInterval(timer);
    near.destroy();
    far.destroy();
  });
  near.resume();
  await expect.poll(() => own).toBeGreaterThan(180);
  await expect.poll(() => holder.isIdle()).toBe(true);
  expect(near.destroyed).toBe(false);
});
