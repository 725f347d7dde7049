import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import { setImmediate } from "node:timers/promises";
import { Duplex, duplexPair, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { LINK_SETTINGS } from "../wire/link-settings.ts";
import { openHostLink, type Taker } from "./host-link.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The guest's end of a link to a host with these takers. */
async function link(takers: Record<string, Taker>): Promise<ClientHttp2Session> {
  const [near, far] = duplexPair();
  // Delivers data asynchronously, as an engine does.
  const carrier = Duplex.from({
    readable: far,
    writable: new Writable({
      write: (bytes, _, done) => void setImmediate().then(() => far.write(bytes, done)),
      final: (done) => void far.end(done),
    }),
  });
  closers.push(openHostLink(carrier, new Map(Object.entries(takers)), () => undefined));
  const session = connect("http://host", { createConnection: () => near, ...LINK_SETTINGS });
  closers.push(() => session.destroy());
  await once(session, "connect");
  return session;
}

const open = (session: ClientHttp2Session, name: string): Duplex =>
  session.request({ ":method": "POST", ":path": `/${name}` });

test.each([
  ["words", "one ", "two"],
  ["bytes", Buffer.from("one "), Buffer.from("two")],
])("an HTTP server responds over it as over a socket: head first, then %s", async (_, one, two) => {
  const server = createServer((_request, response) => {
    // Asynchronously, like a response from elsewhere.
    void setImmediate().then(() => {
      response.writeHead(200, { "content-length": 7 });
      response.write(one);
      response.end(two);
    });
  });
  const take = (stream: Duplex) => void server.emit("connection", stream);
  const session = await link({ way: { take, limit: 10 } });
  const stream = open(session, "way");
  stream.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect((await buffer(stream)).toString()).toMatch(
    /^HTTP\/1\.1 200 OK\r\ncontent-length: 7\r\n[^]*\r\n\r\none two$/,
  );
});

test("refuses connections beyond a taker's limit, and those without a taker", async () => {
  const session = await link({ few: { take: (stream) => void stream.resume(), limit: 2 } });
  const outcome = (stream: Duplex) =>
    new Promise<string>((resolve) => {
      stream.on("error", () => resolve("refused"));
      stream.on("response", () => resolve("taken"));
    });
  const all = await Promise.all(
    ["few", "few", "few", "none"].map((name) => outcome(open(session, name))),
  );
  expect(all).toEqual(["taken", "taken", "refused", "refused"]);
});

/** A link to a guest that stops reading at some point, with the last data still in transit. */
async function stuckLink() {
  const [near, far] = duplexPair();
  const stuck = Promise.withResolvers<void>();
  let isStuck = false;
  const carrier = Duplex.from({
    readable: far,
    writable: new Writable({
      highWaterMark: 1,
      write: (bytes, _, done) => (isStuck ? stuck.resolve() : void far.write(bytes, done)),
      // It never receives the end of the stream either.
      final: () => undefined,
    }),
  });
  const taken = Promise.withResolvers<Duplex>();
  const takers = new Map<string, Taker>([["way", { take: taken.resolve, limit: 1 }]]);
  let isBroken = false;
  const letGo = openHostLink(carrier, takers, () => (isBroken = true));
  const session = connect("http://host", { createConnection: () => near, ...LINK_SETTINGS });
  session.on("error", () => undefined);
  const asked = open(session, "way").on("error", () => undefined);
  const stream = await taken.promise;
  await once(asked, "response");
  const closed = new Promise<void>((resolve) => stream.on("close", resolve));
  const ended = new Promise<void>((resolve) => far.once("end", resolve));
  async function fill(): Promise<void> {
    isStuck = true;
    stream.write("something");
    await stuck.promise;
  }
  return { letGo, near, stream, fill, ended, closed, isBroken: () => isBroken };
}

test.each([
  ["the guest has ended", false],
  ["the guest has ended and something is still on its way to it", true],
])("is closed when %s", async (_, isFull) => {
  const { letGo, near, fill, ended, closed } = await stuckLink();
  if (isFull) await fill();
  near.end();
  await ended;
  // The end arrives a moment later.
  await setImmediate();
  letGo();
  await closed;
});

test("breaks when it receives noise from inside", async () => {
  const { near, closed, isBroken } = await stuckLink();
  near.write(Buffer.alloc(4_000, 0xff));
  await closed;
  await expect.poll(isBroken).toBe(true);
});

test("A48 sending to a guest that has just ended causes no error", async () => {
  const { letGo, near, stream, ended, closed } = await stuckLink();
  near.end();
  await ended;
  for (let turn = 0; turn < 20 && !stream.destroyed; turn++) {
    stream.write("said late");
    await setImmediate();
  }
  letGo();
  await closed;
});
