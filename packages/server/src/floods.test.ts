import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { SOCKETS } from "./api/upgrade.ts";
import { CONNECTIONS } from "@treadle/common";
import { startTestServer, type TestServer } from "./server.test-support.ts";

let server: TestServer;
let port: number;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ port } = await server.listen());
  project = await server.project();
});
afterAll(() => server.close());

const opened: { destroy(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy();
});

/**
 * Opens a silent connection; returns what it receives, and whether it has ended.
 * @param stays does not end its side when the server does
 */
async function dial({ stays = false } = {}) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: stays });
  opened.push(socket);
  const heard = { socket, text: "", ended: false };
  socket.on("data", (piece: Buffer) => (heard.text += piece.toString("latin1")));
  socket.on("error", () => undefined);
  socket.on("close", () => (heard.ended = true));
  await once(socket, "connect");
  return heard;
}

const login = () => `Authorization: Bearer ${server.treadle.token}\r\n`;
const ask = (path: string, more = "") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${login()}${more}\r\n`;
const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
const withKey = () => `${UPGRADE}Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n`;
const log = () => `/api/projects/${project}/events`;

async function follow(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${log()}`, {
    headers: { authorization: `Bearer ${server.treadle.token}` },
  });
  opened.push({ destroy: () => socket.terminate() });
  socket.on("error", () => undefined);
  await once(socket, "open");
  return socket;
}

describe("A65 floods of connections", () => {
  it("idle connections over the limit lock nobody out, and end none that follows a log", async () => {
    const [socket, stream] = [await follow(), await dial()];
    stream.socket.write(ask(log()));
    await expect.poll(() => stream.text).toContain("retry:");
    const flood: { ended: boolean }[] = [];
    while (flood.length < CONNECTIONS + 100)
      flood.push(...(await Promise.all(Array.from({ length: 128 }, () => dial()))));
    const page = await dial();
    page.socket.write(ask("/api/health", "Connection: close\r\n"));
    await expect.poll(() => page.text).toContain("200 OK");
    await expect
      .poll(() => flood.filter(({ ended }) => !ended).length)
      .toBeLessThanOrEqual(CONNECTIONS);
    server.store.log.append(project, { type: "text", run: "r", id: "t", text: "after the flood" });
    await expect.poll(() => stream.text).toContain("after the flood");
    expect([stream.ended, socket.readyState]).toEqual([false, WebSocket.OPEN]);
  });

  it("closes a refused upgrade even if the client stays", async () => {
    const stays = await dial({ stays: true });
    stays.socket.write(
      `GET ${log()} HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://evil.com\r\n${withKey()}\r\n`,
    );
    await expect.poll(() => stays.text).toContain("403");
    await expect
      .poll(() => {
        stays.socket.write("x");
        return stays.ended;
      })
      .toBe(true);
  });
});

describe("A66 floods within WebSockets", () => {
  it("refuses WebSockets over the limit, and accepts new ones when others close", async () => {
    const sockets: Awaited<ReturnType<typeof dial>>[] = [];
    while (sockets.length < SOCKETS) {
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: 64 }, async () => {
            const one = await dial();
            one.socket.write(ask(log(), withKey()));
            await expect.poll(() => one.text).toContain("101 Switching");
            return one;
          }),
        )),
      );
    }
    const one = await dial();
    one.socket.write(ask(log(), withKey()));
    await expect.poll(() => one.text).toContain("503");
    sockets[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const next = await dial();
        next.socket.write(ask(log(), withKey()));
        await expect.poll(() => next.text).toMatch(/^HTTP/);
        return next.text;
      })
      .toContain("101 Switching");
  });

  it.each([
    ["a message that is larger than a page's", frame(0x82, 2000)],
    ["a message in pieces that is never finished", manyPieces()],
    ["a length that nobody has", Buffer.from([0x82, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])("%s ends the WebSocket", async (_what, bytes) => {
    const one = await dial();
    one.socket.write(ask(log(), withKey()));
    await expect.poll(() => one.text).toContain("101 Switching");
    one.socket.write(bytes);
    await expect.poll(() => one.ended).toBe(true);
  });

  it("does not answer all pings of a client that does not read", async () => {
    const one = await dial();
    one.socket.write(ask(log(), withKey()));
    await expect.poll(() => one.text).toContain("101 Switching");
    one.socket.pause();
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame(0x89, 125)));
    // More than both ends of a connection buffer by themselves.
    const rounds = 400;
    await flooded(one.socket, pings, rounds);
    let answered = 0;
    let last = "";
    one.socket.removeAllListeners("data").on("data", (piece: Buffer) => {
      answered += piece.length;
      last = (last + piece.toString("latin1")).slice(-10_000);
    });
    one.socket.resume();
    server.store.log.append(project, { type: "text", run: "r", id: "t", text: "still followed" });
    await expect.poll(() => last).toContain("still followed");
    expect(answered).toBeLessThan((rounds * pings.length) / 2);
  });
});

/**
 * A masked frame with this many zeros.
 * @param first its first byte: the final flag and the opcode
 */
function frame(first: number, length: number): Buffer {
  const head = length < 126 ? [first, 0x80 | length] : [first, 0xfe, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.alloc(length)]);
}

function manyPieces(): Buffer {
  return Buffer.concat([frame(0x02, 1), ...Array.from({ length: 2000 }, () => frame(0x00, 1))]);
}

/** Sends this many rounds, each once the previous one has been written. */
async function flooded(socket: Socket, round: Buffer, rounds: number): Promise<void> {
  for (let sent = 0; sent < rounds; sent++)
    await new Promise((resolve) => socket.write(round, resolve));
}
