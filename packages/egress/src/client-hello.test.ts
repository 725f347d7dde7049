import { connect, createServer, type AddressInfo } from "node:net";
import { connect as connectSecure, type ConnectionOptions } from "node:tls";
import { expect, it } from "vitest";
import { HELLO_LIMIT, readGreeting } from "./client-hello.ts";

/** The first bytes that Node's own client sends. */
const helloOf = (options: ConnectionOptions): Promise<Buffer> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.once("data", (bytes: Buffer) => {
        socket.destroy();
        server.close();
        resolve(bytes);
      });
    });
    server.listen(0, "127.0.0.1", () => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      connectSecure({ ...options, socket }).on("error", () => undefined);
    });
  });

/** The same message, split into records of this size. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    const head = Buffer.from([22, 3, 1, 0, 0]);
    head.writeUInt16BE(piece.length, 3);
    records.push(head, piece);
  }
  return Buffer.concat(records);
}

it("reads the host that a TLS client names", async () => {
  const hello = await helloOf({ servername: "api.example.com" });
  expect(readGreeting(hello)).toEqual({ kind: "tls", name: "api.example.com" });
});

it.each([30, 60, 100])("reads it from records of %d bytes as well", async (size) => {
  const hello = await helloOf({ servername: "api.example.com" });
  expect(readGreeting(inRecords(hello, size))).toEqual({ kind: "tls", name: "api.example.com" });
});

it("rejects tiny records, since each would cost the server work", async () => {
  const hello = await helloOf({ servername: "api.example.com" });
  expect(readGreeting(inRecords(hello, 1))).toEqual({ kind: "nameless" });
});

it("waits for all of it, wherever it is split", async () => {
  const hello = inRecords(await helloOf({ servername: "api.example.com" }), 60);
  for (let end = 0; end < hello.length; end++)
    expect(readGreeting(hello.subarray(0, end))).toEqual({ kind: "more" });
});

it("finds no name if there is none", async () => {
  expect(readGreeting(await helloOf({ servername: "" }))).toEqual({ kind: "nameless" });
});

it("rejects two names, and a wrong length", async () => {
  const hello = await helloOf({ servername: "api.example.com" });
  const at = hello.indexOf("api.example.com");
  const longer = Buffer.from(hello);
  longer.writeUInt16BE(60_000, at - 2);
  expect(readGreeting(longer)).toEqual({ kind: "nameless" });
  // Two names in the space of one: a list of "api" and of nine more bytes.
  const two = Buffer.from(hello);
  two.writeUInt16BE(3, at - 2);
  two[at + 3] = 0;
  two.writeUInt16BE(9, at + 4);
  expect(readGreeting(two)).toEqual({ kind: "nameless" });
});

it("detects other protocols than TLS", () => {
  expect(readGreeting(Buffer.from("GET / HTTP/1.1\r\n"))).toEqual({ kind: "plain" });
  expect(readGreeting(Buffer.from("SSH-2.0-x\r\n"))).toEqual({ kind: "plain" });
});

it("never throws for any bytes, and never needs more than the limit", async () => {
  const hello = await helloOf({ servername: "api.example.com" });
  for (let at = 0; at < hello.length; at++) {
    const broken = Buffer.from(hello);
    broken[at] = (broken[at]! + 1 + (at % 200)) & 255;
    expect(["more", "plain", "nameless", "tls"]).toContain(readGreeting(broken).kind);
  }
  const endless = Buffer.alloc(HELLO_LIMIT + 1, Buffer.from([22, 3, 1, 0, 1, 1]));
  expect(readGreeting(endless)).toEqual({ kind: "nameless" });
});
