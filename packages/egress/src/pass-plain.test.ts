import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { passPlain } from "./pass-plain.ts";

const HIDDEN = "GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n";

it.each([
  ["content-length", `Content-Length: ${HIDDEN.length}`, HIDDEN],
  [
    "transfer-encoding",
    "Transfer-Encoding: chunked",
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  ],
])("A156 a body stays a body if Connection names %s", async (name, framing, body) => {
  let seen = "";
  const outside = createTcpServer((socket) => {
    socket.setEncoding("latin1").on("data", (piece: string) => {
      seen += piece;
      if (seen.includes(HIDDEN)) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  });
  await once(outside.listen(0, "127.0.0.1"), "listening");
  const proxy = createServer((request, response) => {
    const socket = connect((outside.address() as AddressInfo).port, "127.0.0.1");
    passPlain(new URL("http://allowed.example/"), request, response, { socket, path: "/" }).catch(
      () => response.destroy(),
    );
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const client = connect((proxy.address() as AddressInfo).port, "127.0.0.1");
  const head = ["GET / HTTP/1.1", "Host: allowed.example", `Connection: close, ${name}`, framing];
  client.write([...head, "", ""].join("\r\n") + body);
  await once(client.resume(), "close");
  const [text = ""] = seen.split("\r\n\r\n");
  expect(text.toLowerCase()).toContain(framing.toLowerCase());
  expect(text).toContain("allowed.example");
  outside.close();
  proxy.close();
});
