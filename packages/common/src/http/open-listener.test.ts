import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { openListener, shutListener } from "./open-listener.ts";

it.each([
  ["h2c", "POST asked: hello"],
  ["websocket", "HTTP/1.1 400 "],
  ["WebSocket, h2c", "HTTP/1.1 400 "],
])("a request that offers %s as well is answered by %s", async (offered, answer) => {
  const server = await openListener("127.0.0.1", 0, {
    request(request, response) {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => response.end(`${request.method} asked: ${body}`));
    },
    upgrade: (_request, socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\na socket"),
  });
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  const lines = ["POST / HTTP/1.1", "Host: localhost", "Connection: Upgrade, close"];
  socket.write([...lines, `Upgrade: ${offered}`, "Content-Length: 5", "", "hello"].join("\r\n"));
  await once(socket, "close");
  expect(received).toContain(answer);
  await shutListener(server);
});

it.each(["keep-alive", "Upgrade\r\nUpgrade: websocket"])(
  "A146 refuses a request with two hosts (Connection: %s)",
  async (connection) => {
    const asked: string[] = [];
    const server = await openListener("127.0.0.1", 0, {
      request: (request, response) => void response.end(`asked ${asked.push(request.url!)}`),
      upgrade: (request, socket) => void socket.end(`asked ${asked.push(request.url!)}`),
    });
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    const hosts = ["Host: shop.localhost", "hOST: other.localhost"];
    socket.write(["GET / HTTP/1.1", ...hosts, `Connection: ${connection}`, "", ""].join("\r\n"));
    await once(socket, "close");
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked).toEqual([]);
    await shutListener(server);
  },
);

/** A listener that counts its requests; returns the response to exactly these bytes. */
async function listening(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; ask(text: string): { socket: Socket; received(): string } }> {
  const server = await openListener("127.0.0.1", 0, {
    request: answer,
    upgrade: (_request, socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
  });
  return {
    server,
    ask(text) {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      let received = "";
      socket.setEncoding("latin1").on("data", (piece: string) => (received += piece));
      socket.on("error", () => {});
      socket.write(text, "latin1");
      return { socket, received: () => received };
    },
  };
}

it.each([
  ["POST", []],
  ["GET", ["Content-Length: 3"]],
  ["GET", ["Transfer-Encoding: chunked"]],
  ["PUT", ["Content-Length: 0"]],
])("A158 a WebSocket starts with a GET without a body: refuses %s %j", async (method, lines) => {
  const { server, ask } = await listening((_, response) => response.end("asked"));
  const upgrade = ["Connection: Upgrade", "Upgrade: websocket", ...lines, "", ""];
  const { socket, received } = ask([`${method} / HTTP/1.1`, "Host: x", ...upgrade].join("\r\n"));
  await once(socket, "close");
  expect(received()).toMatch(/^HTTP\/1\.1 400 /);
  await shutListener(server);
});

it.each(["/x#/../.env", "/%zz", "/a\\b", "*", "http://a@b/", "/%00"])(
  "A157 the target %s reaches no handler, nor with an upgrade",
  async (target) => {
    let asked = 0;
    const { server, ask } = await listening((_, response) => void response.end(`${++asked}`));
    for (const connection of ["close", "Upgrade\r\nUpgrade: websocket"]) {
      const lines = [`GET ${target} HTTP/1.1`, "Host: x", `Connection: ${connection}`, "", ""];
      const { socket, received } = ask(lines.join("\r\n"));
      await once(socket, "close");
      expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(asked).toBe(0);
    await shutListener(server);
  },
);

describe("A159 many requests on one connection", () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it("are handled one after the other, and answered in order", async () => {
    const open: ServerResponse[] = [];
    const { server, ask } = await listening((_, response) => void open.push(response));
    const { received } = ask(["/1", "/2", "/3"].map(one).join(""));
    for (const number of [1, 2, 3]) {
      await expect.poll(() => open.length).toBe(number);
      open.at(-1)!.end(`answer ${number}.`);
    }
    await expect.poll(received).toMatch(/answer 1\.[^]*answer 2\.[^]*answer 3\./);
    await shutListener(server);
  });

  it("stay unread while the first is answered", async () => {
    const open: ServerResponse[] = [];
    let requests = 0;
    const { server, ask } = await listening((_, response) => void open.push(response));
    server.on("request", () => void requests++);
    const all = 100_000;
    const { socket } = ask(Array.from({ length: all }, (_, index) => one(`/${index}`)).join(""));
    await expect.poll(() => open.length).toBe(1);
    const other = ask(`${one("/other").slice(0, -2)}Connection: close\r\n\r\n`);
    await expect.poll(() => open.length).toBe(2);
    open[1]!.end("answered");
    await once(other.socket, "close");
    expect(other.received()).toMatch(/answered$/);
    expect(requests).toBeLessThan(6_000);
    open[0]!.end("first");
    await expect.poll(() => open.length).toBe(3);
    socket.destroy();
    await shutListener(server);
  });

  it("continue where reading stopped, whatever their bodies", async () => {
    const bodies: string[] = [];
    const { server, ask } = await listening((request, response) => {
      let body = "";
      request.setEncoding("latin1").on("data", (piece: string) => (body += piece));
      request.on("end", () => {
        bodies.push(body);
        response.end("here");
      });
    });
    const big = "b".repeat(300_000);
    const post = (body: string) =>
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    ask([post("a"), post(big), post("c"), post(big), one("/")].join(""));
    await expect
      .poll(() => bodies.map(({ length }) => length))
      .toEqual([1, 300_000, 1, 300_000, 0]);
    await shutListener(server);
  });

  it("have to be answered before an upgrade", async () => {
    const { server, ask } = await listening(() => {});
    const upgrade = [
      "GET / HTTP/1.1",
      "Host: x",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "",
      "",
    ];
    const { socket, received } = ask(one("/events") + upgrade.join("\r\n"));
    await once(socket, "close");
    expect(received()).toBe("");
    await shutListener(server);
  });
});
