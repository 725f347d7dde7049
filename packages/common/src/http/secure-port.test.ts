import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { speaksTls } from "./secure-port.ts";

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/**
 * A port whose connections `answer` handles, reached by a stream that is not a socket, like a
 * container's.
 */
async function portOf(answer: (socket: Socket) => void): Promise<() => Promise<Duplex>> {
  const server = createServer((socket) => answer(socket.on("error", () => undefined)));
  closing.push(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const stream = new Duplex({
      read: () => void socket.resume(),
      write: (bytes, _, done) => void socket.write(bytes, done),
      destroy(error, done) {
        socket.destroy();
        done(error);
      },
    });
    socket.on("data", (bytes) => stream.push(bytes)).on("end", () => stream.push(null));
    socket.on("error", (error) => stream.destroy(error));
    return stream;
  };
}

// For these, Node emits an error twice, and an unhandled one ends the process.
it.each<[string, (socket: Socket) => void]>([
  ["ends the connection", (socket) => socket.end()],
  ["resets it", (socket) => socket.resetAndDestroy()],
  [
    "resets it once it was greeted",
    (socket) => socket.once("data", () => socket.resetAndDestroy()),
  ],
  [
    "answers something else",
    (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 \r\n")),
  ],
])("reports that %s does not use TLS, without other effects", async (_, answer) => {
  const open = await portOf(answer);
  const answers = await Promise.all(Array.from({ length: 8 }, () => speaksTls(open)));
  expect(answers).toEqual(Array(8).fill(false));
});
