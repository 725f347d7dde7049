import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { duplexPair, type Duplex } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { boundConnections, CONNECTION_BOUNDS, type ConnectionBounds } from "./bound-connections.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

/** Answers `/` at once and `/late` on command, and reads bodies to their end. */
function bounded(bounds: Partial<ConnectionBounds>) {
  const late: (() => void)[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    if (request.url === "/late") return void late.push(() => response.end("late"));
    if (request.url === "/refused") return void response.writeHead(403).end("no");
    request.on("data", (piece: Buffer) => (taken += piece.length));
    request.on("end", () => response.end(`taken ${taken}`));
  });
  server.on("upgrade", (_request, socket: Duplex) => {
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    socket.pipe(socket);
  });
  return { server: boundConnections(server, bounds), late, taken: () => taken };
}

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    closers.push(() => socket.destroy());
    await once(socket, "connect");
    return heard(socket);
  };
}

/** Collects the other side's data, and whether it has closed the connection. */
function heard<D extends Duplex>(socket: D) {
  const connection = { socket, text: "", ended: false, end: Promise.resolve() };
  socket.on("data", (piece: Buffer) => (connection.text += piece.toString("latin1")));
  socket.on("error", () => undefined);
  connection.end = new Promise((resolve) => {
    const end = () => {
      connection.ended = true;
      resolve();
    };
    socket.once("end", end).once("close", end);
  });
  return connection;
}

const HEAD = "Host: localhost\r\n";
const PIECE = 50_000;
const BRIEF = { headMs: 50, bodyMs: 50, bodyBytes: 1024 };

describe("A65 clients that connect without sending a complete request", () => {
  it.each([
    ["nothing", ""],
    ["half a request line", "GE"],
    ["a head without an end", `GET / HTTP/1.1\r\n${HEAD}X-A: 1\r\n`],
    ["a body that stops", `POST / HTTP/1.1\r\n${HEAD}Content-Length: 100000\r\n\r\nx`],
    ["a chunk that stops", `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nffff\r\nx`],
    [
      "a body that nobody wanted",
      `POST /refused HTTP/1.1\r\n${HEAD}Content-Length: 100000\r\n\r\nx`,
    ],
    ["nothing after an answer", `GET / HTTP/1.1\r\n${HEAD}\r\n`],
    ["half a head after an answer", `GET / HTTP/1.1\r\n${HEAD}\r\nGET /2 HTTP/1.1\r\n`],
  ])("are disconnected: %s", async (_what, text) => {
    const open = await listening(bounded(BRIEF).server);
    const { socket, end } = await open();
    socket.write(text);
    await end;
  });

  it("are disconnected too if their connection was handed over", async () => {
    const { server } = bounded(BRIEF);
    for (const text of ["", `GET / HTTP/1.1\r\n${HEAD}X-A: 1\r\n`]) {
      const [ours, theirs] = duplexPair();
      server.emit("connection", ours);
      const { end } = heard(theirs);
      theirs.write(text);
      await end;
    }
  });

  it("are disconnected if headers arrive byte by byte", async () => {
    const open = await listening(bounded({ ...BRIEF, headMs: 200 }).server);
    const slow = await open();
    slow.socket.write(`GET / HTTP/1.1\r\n${HEAD}X-A: `);
    const drip = setInterval(() => slow.socket.write("a"), 5);
    closers.push(() => clearInterval(drip));
    await slow.end;
  });
});

describe("slow but legitimate connections", () => {
  it("a late response, a slow body and a silent WebSocket stay open", async () => {
    const { server, late, taken } = bounded(BRIEF);
    const open = await listening(server);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [waiting, sending, silent] = [await open(), await open(), await open()];
    waiting.socket.write(`GET /late HTTP/1.1\r\n${HEAD}\r\n`);
    silent.socket.write(`GET / HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: x\r\n\r\n`);
    await expect.poll(() => silent.text).toContain("101");
    await expect.poll(() => late.length).toBe(1);
    sending.socket.write(`POST / HTTP/1.1\r\n${HEAD}Content-Length: ${10 * PIECE}\r\n\r\n`);
    for (let sent = 1; sent <= 10; sent++) {
      sending.socket.write(Buffer.alloc(PIECE));
      await expect.poll(taken).toBe(sent * PIECE);
      vi.advanceTimersByTime(BRIEF.bodyMs);
    }
    await expect.poll(() => sending.text).toContain(`taken ${10 * PIECE}`);
    silent.socket.write("still here");
    await expect.poll(() => silent.text).toContain("still here");
    late[0]?.();
    await expect.poll(() => waiting.text).toContain("late");
  });
});

describe("when all connections are in use", () => {
  it("A65 an idle one is closed for a new one, longest waiting first; active ones are not", async () => {
    const { server, late } = bounded({ most: 3, headMs: 60_000 });
    const open = await listening(server);
    const work = await open();
    work.socket.write(`GET /late HTTP/1.1\r\n${HEAD}\r\n`);
    await expect.poll(() => late.length).toBe(1);
    const held = await open();
    held.socket.write(`GET / HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: x\r\n\r\n`);
    await expect.poll(() => held.text).toContain("101");
    const idle = await open();
    idle.socket.write(`GET / HTTP/1.1\r\n${HEAD}X-Never: `);
    const next = await open();
    await idle.end;
    next.socket.write(`GET /late HTTP/1.1\r\n${HEAD}\r\n`);
    await expect.poll(() => late.length).toBe(2);
    // No connection is idle now, so the new one has to be refused.
    await (
      await open()
    ).end;
    expect([work.ended, held.ended, next.ended]).toEqual([false, false, false]);
    late[0]?.();
    await expect.poll(() => work.text).toContain("late");
  });

  it("A65 six hundred silent clients hold no more than the limit, and a request is still answered", async () => {
    const { server } = bounded({ most: 64, headMs: 60_000 });
    const open = await listening(server);
    const flood: { socket: Socket; ended: boolean }[] = [];
    for (let round = 0; round < 6; round++)
      flood.push(...(await Promise.all(Array.from({ length: 100 }, open))));
    const asked = await open();
    asked.socket.write(`GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
    await asked.end;
    expect(asked.text).toContain("taken 0");
    await expect.poll(() => flood.filter(({ ended }) => !ended).length).toBeLessThanOrEqual(64);
  });
});

it("has default limits", () => {
  expect(CONNECTION_BOUNDS.headMs).toBeLessThanOrEqual(30_000);
  expect(CONNECTION_BOUNDS.bodyMs).toBeLessThanOrEqual(60_000);
});
