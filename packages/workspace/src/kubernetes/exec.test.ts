import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { eventually } from "../contract/helpers.test-support.ts";
import { openExec } from "./exec.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const frame = (channel: number, words: string | Buffer) =>
  Buffer.concat([Buffer.of(channel), Buffer.from(words)]);
const exitStatus = (message: string) =>
  frame(
    3,
    JSON.stringify({ status: "Failure", details: { causes: [{ reason: "ExitCode", message }] } }),
  );

/** An API server that executes nothing: the test speaks for the program. */
async function serve(refusal?: number): Promise<{ url: URL; program: Promise<WebSocket> }> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const { promise: program, resolve } = Promise.withResolvers<WebSocket>();
  server.on("upgrade", (request, socket, head) => {
    if (refusal)
      return void socket.end(`HTTP/1.1 ${refusal} No\r\nConnection: close\r\n\r\nno right`);
    sockets.handleUpgrade(request, socket, head, resolve);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
  });
  return { url: new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/exec`), program };
}

async function execute(onStderr: (bytes: Buffer) => void = () => undefined) {
  const { url, program } = await serve();
  const executed = await openExec(url, {}, onStderr);
  closers.push(() => executed.stream.destroy());
  return { ...executed, program: await program };
}

test("keeps a program's output, its complaints and its exit code apart", async () => {
  let complaints = "";
  const { stream, exited, program } = await execute((bytes) => (complaints += bytes.toString()));
  for (const part of [frame(1, "one "), frame(2, "oh"), frame(1, "two"), exitStatus("7")])
    program.send(part);
  program.close();
  expect(await text(stream)).toBe("one two");
  expect([await exited, complaints]).toEqual([7, "oh"]);
});

test("a program that succeeded has the exit code 0, and one whose connection broke 137", async () => {
  const ended = await execute();
  ended.program.send(frame(3, JSON.stringify({ status: "Success" })));
  ended.program.close();
  ended.stream.resume();
  expect(await ended.exited).toBe(0);
  const broken = await execute();
  broken.program.terminate();
  expect(await broken.exited).toBe(137);
});

test("sends input in order, in messages of a bounded size", async () => {
  const { stream, program } = await execute();
  const bytes = Buffer.alloc(300_000, "abcdefg");
  const received: Buffer[] = [];
  program.on("message", (data: Buffer) => {
    expect([data[0], data.length <= 64 * 1024 + 1]).toEqual([0, true]);
    received.push(data.subarray(1));
  });
  stream.write(bytes);
  await eventually(() => Buffer.concat(received).length >= bytes.length);
  expect(Buffer.concat(received).equals(bytes)).toBe(true);
});

test("a program that prints faster than it is read has to wait", async () => {
  const { stream, program } = await execute();
  const piece = frame(1, Buffer.alloc(1024 * 1024));
  for (let count = 0; count < 64; count++) program.send(piece);
  await eventually(() => stream.readableLength > 0);
  // Most of it waits at the other end.
  await eventually(() => program.bufferedAmount > 16 * 1024 * 1024);
  expect(stream.readableLength).toBeLessThan(16 * 1024 * 1024);
  let read = 0;
  stream.on("data", (bytes: Buffer) => (read += bytes.length));
  await eventually(() => read === 64 * 1024 * 1024);
});

test("a refusal is told with its status", async () => {
  const { url } = await serve(403);
  await expect(openExec(url, {}, () => undefined)).rejects.toMatchObject({
    status: 403,
    message: "no right",
  });
});
