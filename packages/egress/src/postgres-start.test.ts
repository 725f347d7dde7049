import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "./certificate.test-support.ts";
import { startProject } from "./egress.test-support.ts";

const HOST = "db.example.com:5432";
let project: Awaited<ReturnType<typeof startProject>>;
let target = 0;
const heard: string[] = [];
const closers: (() => void)[] = [];

beforeEach(async () => {
  heard.length = 0;
  project = await startProject([HOST], () => target);
  closers.push(() => project.close());
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The part of a PostgreSQL server that a client needs to recognise one. */
async function startDatabase(answer: string): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(answer);
      const greet = (stream: Socket) =>
        stream
          .on("error", () => undefined)
          .on("data", (bytes: Buffer) => {
            heard.push(bytes.toString("latin1"));
            // Authentication succeeded, ready for queries
            // (https://www.postgresql.org/docs/current/protocol-message-formats.html).
            stream.write(Buffer.from("R\0\0\0\b\0\0\0\0Z\0\0\0\u0005I", "latin1"));
          });
      greet(answer === "S" ? new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE }) : socket); // prettier-ignore
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  target = (server.address() as AddressInfo).port;
  closers.push(() => server.close());
}

/** An open tunnel, as the guest opens it for a client without proxy support. */
async function tunnel(): Promise<Socket> {
  const socket = connect(project.port, "127.0.0.1");
  socket.write(`CONNECT ${HOST} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await once(socket, "data");
  closers.push(() => socket.destroy());
  return socket;
}

/** Node's PostgreSQL client over an open connection. */
async function signIn(host = "db.example.com"): Promise<void> {
  const stream = await tunnel();
  // The client calls `connect` on the stream, which is already connected.
  Object.assign(stream, { connect: () => queueMicrotask(() => stream.emit("connect")) });
  const client = new Client({
    host,
    user: "app",
    database: "app",
    ssl: { rejectUnauthorized: false },
    stream: () => stream,
  } as never);
  client.on("error", () => undefined);
  closers.push(() => void client.end().catch(() => undefined));
  await client.connect();
}

it("reaches an outside database that encrypts, as PostgreSQL's client requests first", async () => {
  await startDatabase("S");
  await signIn();
  expect(heard.join("")).toContain("user\0app\0");
  expect(project.refused).toEqual([]);
});

it("A60 sends nothing to one that does not encrypt, or that answers more than that", async () => {
  for (const answer of ["N", "SX", "E"]) {
    await startDatabase(answer);
    await expect(signIn()).rejects.toThrow();
  }
  expect(heard.join("")).not.toContain("app");
  expect(project.refused.map(({ reason }) => reason)).toEqual([
    "not-named",
    "not-named",
    "not-named",
  ]);
});

it("A60 the encrypted data has to be for the requested host", async () => {
  await startDatabase("S");
  await expect(signIn("evil.example.com")).rejects.toThrow();
  expect(heard).toEqual([]);
  expect(project.refused).toEqual([{ host: "evil.example.com:5432", reason: "not-allowed" }]);
});
