import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { openListener, shutListener } from "./open-listener.ts";

it.each([
  ["h2c", "POST asked: hello"],
  ["websocket", "a socket"],
  ["WebSocket, h2c", "a socket"],
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
  let said = "";
  socket.setEncoding("utf8").on("data", (text: string) => (said += text));
  const lines = ["POST / HTTP/1.1", "Host: localhost", "Connection: Upgrade, close"];
  socket.write([...lines, `Upgrade: ${offered}`, "Content-Length: 5", "", "hello"].join("\r\n"));
  await once(socket, "close");
  expect(said).toContain(answer);
  await shutListener(server);
});

it.each(["keep-alive", "Upgrade\r\nUpgrade: websocket"])(
  "A146 a request with two hosts is answered by neither (Connection: %s)",
  async (connection) => {
    const asked: string[] = [];
    const server = await openListener("127.0.0.1", 0, {
      request: (request, response) => void response.end(`asked ${asked.push(request.url!)}`),
      upgrade: (request, socket) => void socket.end(`asked ${asked.push(request.url!)}`),
    });
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let said = "";
    socket.setEncoding("utf8").on("data", (text: string) => (said += text));
    const hosts = ["Host: shop.localhost", "hOST: other.localhost"];
    socket.write(["GET / HTTP/1.1", ...hosts, `Connection: ${connection}`, "", ""].join("\r\n"));
    await once(socket, "close");
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked).toEqual([]);
    await shutListener(server);
  },
);
