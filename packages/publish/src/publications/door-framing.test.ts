import { once } from "node:events";
import type { Server } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openListener, shutListener } from "@treadle/common";
import { createReleaseSlot } from "./release-slot.ts";
import { createAppConnections } from "./app-connections.ts";
import { createDoor, type DoorPublication } from "./door.ts";
import type { ReleaseApp } from "./release-app.ts";
import { readStrictly, type SeenRequest } from "./strict-requests.test-support.ts";

/** An app that parses its input strictly, and answers each request with its target. */
const seen: SeenRequest[] = [];
const faults: string[] = [];
const app = createServer((socket) => {
  let text = "";
  let count = 0;
  socket.setEncoding("latin1").on("error", () => {});
  socket.on("data", (piece: string) => {
    text += piece;
    try {
      const { requests } = readStrictly(text);
      for (const one of requests.slice(count)) {
        seen.push(one);
        const body = one.method === "HEAD" ? "" : one.target;
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${one.target.length}\r\n\r\n${body}`);
      }
      count = requests.length;
    } catch (error) {
      faults.push(`${(error as Error).message} in ${JSON.stringify(text)}`);
      socket.destroy();
    }
  });
});

/** The requests as the listener has parsed them. */
const asked: string[] = [];
let onAsked = () => {};
let front: Server;
beforeAll(async () => {
  await once(app.listen(0, "127.0.0.1"), "listening");
  const dial = async () => {
    const socket = connect({ port: (app.address() as AddressInfo).port, allowHalfOpen: true });
    await once(socket, "connect");
    return socket;
  };
  const slot = createReleaseSlot();
  const releaseApp = {
    connections: createAppConnections(dial),
    connect: dial,
    state: () => "up",
    upSince: () => 1,
    use: async () => () => {},
  } as Partial<ReleaseApp> as ReleaseApp;
  slot.put({ release: 1, kind: "app", app: releaseApp });
  const shop: DoorPublication = { project: "p", slot, onRequest() {}, onError() {} };
  const door = createDoor("token-of-treadle");
  front = await openListener("127.0.0.1", 0, {
    request(request, response) {
      asked.push(`${request.method} ${request.url}`);
      onAsked();
      door.handle(shop, request, response);
    },
    upgrade(request, socket, head) {
      asked.push(`${request.method} ${request.url}`);
      onAsked();
      door.upgrade(shop, request, socket, head);
    },
  });
});
afterAll(async () => {
  await shutListener(front);
  app.close();
});

/** Sends exactly this text. */
function send(text: string) {
  const socket: Socket = connect((front.address() as AddressInfo).port, "127.0.0.1");
  const answered = Promise.withResolvers<string>();
  let received = "";
  socket.setEncoding("latin1").on("error", () => {});
  socket.on("close", () => answered.resolve(received));
  socket.on("data", (piece: string) => {
    received += piece;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
    if (received.length - received.indexOf("\r\n\r\n") - 4 >= length) answered.resolve(received);
  });
  socket.write(text, "latin1");
  return { answer: answered.promise, end: () => void socket.destroy() };
}

/** The answer to an ordinary visitor. */
async function visit(path: string): Promise<string> {
  const { answer, end } = send(`GET ${path} HTTP/1.1\r\nHost: shop.localhost\r\n\r\n`);
  const text = await answer;
  end();
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}

const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";
const field = fc.constantFrom(
  "Connection: keep-alive, content-length",
  "Connection: content-length",
  "Connection: transfer-encoding, keep-alive",
  "Connection: Content-Length,host",
  "Connection: close",
  "Connection: x-forwarded-for, cookie, upgrade",
  `Content-Length: ${HIDDEN.length}`,
  "Content-Length: 0",
  "content-length: 5",
  "Content_Length: 5",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: identity",
  "Transfer_Encoding: chunked",
  "TE: trailers",
  "Trailer: x",
  "Expect: 100-continue",
  "Upgrade: h2c",
  "Upgrade: websocket",
  "HTTP2-Settings: AAMAAABk",
  "Keep-Alive: timeout=1",
  "X-Forwarded-For: 6.6.6.6",
  "X: \x85 y",
  "X:",
);
const body = fc.constantFrom(
  HIDDEN,
  `5\r\nhello\r\n0\r\n\r\n${HIDDEN}`,
  `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  "0\r\n\r\n",
  `hello${HIDDEN}`,
  "",
);
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"),
  target: fc.constantFrom("/a", "/a?b=c", "//x", "/a#b", "/a%20b", "/a/../b", "http://other/x"),
  version: fc.constantFrom("1.1", "1.1", "1.1", "1.0"),
  fields: fc.array(field, { maxLength: 4 }),
  body,
});

describe("A156 the bytes that an app receives", () => {
  it.each([
    ["Connection: keep-alive, content-length", `Content-Length: ${HIDDEN.length}`, HIDDEN],
    [
      "Connection: transfer-encoding, keep-alive",
      "Transfer-Encoding: chunked",
      `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ],
  ])("has its end told whatever the visitor's %s names", async (connection, framing, text) => {
    seen.splice(0);
    const head = ["POST /first HTTP/1.1", "Host: shop.localhost", connection, framing, "", ""];
    const attack = send(head.join("\r\n") + text);
    expect(await attack.answer).toMatch(/\/first$/);
    attack.end();
    expect(await visit("/victim")).toBe("/victim");
    expect(seen.map(({ target, body: sent }) => [target, sent])).toEqual([["/first", HIDDEN], ["/victim", ""]]); // prettier-ignore
    expect(faults).toEqual([]);
  });

  it("are, strictly parsed, exactly the requests to the door, and every visitor gets their own answer", async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        seen.splice(0);
        const lines = [`${one.method} ${one.target} HTTP/${one.version}`, "Host: shop.localhost", ...one.fields]; // prettier-ignore
        const handled = Promise.withResolvers<void>();
        onAsked = handled.resolve;
        const attack = send(`${lines.join("\r\n")}\r\n\r\n${one.body}`);
        // It is refused, or forwarded to the app: it may announce a body that never arrives.
        await Promise.race([attack.answer, handled.promise]);
        for (let turn = 0; turn < 2; turn++) {
          const own = `/victim-${number++}`;
          expect(await visit(own)).toBe(own);
        }
        attack.end();
        expect(faults).toEqual([]);
        for (const { method, target, headers } of seen) {
          expect(asked).toContain(`${method} ${target}`);
          expect(headers.filter(([name]) => name === "x-forwarded-for")).toEqual([["x-forwarded-for", "127.0.0.1"]]); // prettier-ignore
        }
      }),
      { numRuns: 300 },
    );
  });
});
