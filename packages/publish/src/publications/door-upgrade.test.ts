import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openListener, readTrustedProxies, shutListener } from "@treadle/common";
import { PREVIEW_PLACES } from "@treadle/gateway";
import { createReleaseSlot } from "./release-slot.ts";
import { createAppConnections } from "./app-connections.ts";
import { createDoor, type DoorOptions, type DoorPublication } from "./door.ts";
import type { ReleaseApp } from "./release-app.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/**
 * A published app that accepts upgrades of `/agrees`, rejects `/refuses`, and never answers others.
 */
async function published(
  proxies = readTrustedProxies(undefined),
  more: Partial<DoorPublication> = {},
  limits: Pick<DoorOptions, "silentMs" | "pingMs"> = {},
) {
  const upgrades: IncomingMessage[] = [];
  /** What clients send to the app after an upgrade. */
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const app: Server = createServer((request, response) => {
    if (request.url === "/events") response.write("data: 1\n\n");
    else if (request.url === "/ticks") {
      const timer = setInterval(() => response.write(":\n\n"), 5);
      response.once("close", () => clearInterval(timer));
    } else response.end(JSON.stringify(request.headers));
  });
  app.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("close", () => sockets.delete(socket));
  });
  app.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    upgrades.push(request);
    if (request.url === "/refuses")
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
    if (request.url === "/agrees")
      socket.write("HTTP/1.1 101 Switching Protocols\r\nset-cookie: a=b\r\nset-cookie: treadle-1=x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"); // prettier-ignore
    socket.on("data", (piece: Buffer) => heard.push(piece));
    // A socket that is not read does not notice that the other side left.
    socket.resume().on("end", () => socket.destroy());
  });
  await once(app.listen(0, "127.0.0.1"), "listening");
  closers.push(() => app.close().closeAllConnections());
  closers.push(() => sockets.forEach((socket) => socket.destroy()));
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
  const shop: DoorPublication = { project: "p", slot, onRequest() {}, onError() {}, ...more };
  const door = createDoor("token-of-treadle", { proxies, ...limits });
  const front = await openListener("127.0.0.1", 0, {
    request: (request, response) => door.handle(shop, request, response),
    upgrade: (request, socket, head) => door.upgrade(shop, request, socket, head),
  });
  closers.push(() => shutListener(front));
  const { port } = front.address() as AddressInfo;
  return {
    upgrades,
    heard: () => Buffer.concat(heard),
    send: (frame: Buffer) => sockets.forEach((socket) => socket.write(frame)),
    dial(path: string, lines: string[] = [], host = "shop.example") {
      const socket = connect(port, "127.0.0.1");
      let received = "";
      socket.setEncoding("latin1").on("data", (piece: string) => (received += piece));
      socket.on("error", () => {});
      closers.push(() => socket.destroy());
      const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: Upgrade", "Upgrade: websocket"]; // prettier-ignore
      socket.write([...head, ...lines, "", ""].join("\r\n"));
      return { socket, said: () => received };
    },
    get: (headers: Record<string, string>) =>
      new Promise<Record<string, string>>((resolve, reject) => {
        const asked = ask({ port, host: "127.0.0.1", headers }, (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
          answer.on("end", () => resolve(JSON.parse(text) as Record<string, string>));
        });
        asked.on("error", reject).end();
      }),
    port,
  };
}

const FORGED = {
  "X-Forwarded-For": "6.6.6.6",
  "X-Forwarded-Host": "evil.example",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Port": "1",
  X_Forwarded_For: "6.6.6.6",
  Forwarded: "for=6.6.6.6;host=evil.example",
  "X-Real-IP": "6.6.6.6",
  "CF-Connecting-IP": "6.6.6.6",
};
const forgedLines = Object.entries(FORGED).map(([name, value]) => `${name}: ${value}`);

const forwarded = (headers: IncomingMessage["headers"] | Record<string, string>) =>
  Object.entries(headers).filter(([name]) => /forward|-ip$/.test(name));

describe("A158 the client's address", () => {
  it("is stated to an app by Treadle alone, for upgrades as for requests", async () => {
    const shop = await published(readTrustedProxies("none"));
    const own = [
      ["x-forwarded-for", "127.0.0.1"],
      ["x-forwarded-proto", "http"],
      ["x-forwarded-host", "shop.example"],
    ];
    const { said: received } = shop.dial("/agrees", forgedLines);
    await expect.poll(received).toMatch(/^HTTP\/1\.1 101 /);
    expect(forwarded(shop.upgrades[0]!.headers)).toEqual(own);
    const headers = await shop.get({ ...FORGED, host: "shop.example" });
    expect(forwarded(headers)).toEqual(own);
  });

  it("comes from a web server in front, if the settings name its address", async () => {
    const shop = await published(readTrustedProxies("127.0.0.0/8,10.0.0.0/8"));
    const lines = ["X-Forwarded-Proto: https", "X-Forwarded-For: 6.6.6.6, 9.9.9.9, 10.1.2.3"];
    const { said: received } = shop.dial("/agrees", lines);
    await expect.poll(received).toMatch(/^HTTP\/1\.1 101 /);
    expect(forwarded(shop.upgrades[0]!.headers)).toEqual([
      ["x-forwarded-for", "9.9.9.9"],
      ["x-forwarded-proto", "https"],
      ["x-forwarded-host", "shop.example"],
    ]);
  });

  it("is that of the connection at an app's port, unless the settings name a web server", async () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "6.6.6.6", host: "127.0.0.1:4200" }; // prettier-ignore
    const shop = await published(readTrustedProxies(undefined), { sharesHost: true });
    expect(await shop.get(headers)).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" }); // prettier-ignore
    const named = await published(readTrustedProxies("127.0.0.1"), { sharesHost: true });
    expect(await named.get(headers)).toMatchObject({ "x-forwarded-for": "6.6.6.6", "x-forwarded-proto": "https" }); // prettier-ignore
  });

  it("cannot be forged by a program on this machine that states another one", async () => {
    const shop = await published();
    shop.dial("/agrees", forgedLines, "shop.localhost");
    await expect.poll(() => shop.upgrades.length).toBe(1);
    expect(shop.upgrades[0]!.headers["x-forwarded-for"]).toBe("127.0.0.1");
  });

  it("gets the same headers as with any other answer", async () => {
    const shop = await published();
    const { said: received } = shop.dial("/agrees");
    await expect.poll(received).toMatch(/\r\n\r\n$/);
    expect(received()).toMatch(/^set-cookie: a=b\r$/m);
    expect(received()).not.toMatch(/treadle|permissions-policy/);
    const no = shop.dial("/refuses");
    await once(no.socket, "close");
    expect(no.said()).toMatch(/^HTTP\/1\.1 403 [^]*\r\n\r\nno$/);
  });
});

describe("A159 sockets that the app does not answer", () => {
  it("do not block sockets that it answers", async () => {
    const shop = await published();
    for (let index = 0; index < 260; index++) shop.dial("/never");
    await expect
      .poll(() => shop.upgrades.length)
      .toBeGreaterThanOrEqual(PREVIEW_PLACES.sockets / 2);
    const { said: received } = shop.dial("/agrees");
    await expect.poll(received).toMatch(/^HTTP\/1\.1 101 /);
  });
});

describe("A159 a stream requested 1,100 times on one connection", () => {
  it("uses one place", async () => {
    const shop = await published();
    const socket = connect(shop.port, "127.0.0.1");
    closers.push(() => socket.destroy());
    socket.on("error", () => {}).write("GET /events HTTP/1.1\r\nHost: shop.example\r\n\r\n".repeat(1_100)); // prettier-ignore
    await once(socket, "data");
    expect(await shop.get({ host: "shop.example" })).toHaveProperty("host", "shop.example");
  });
});

describe("A159 a client that follows as many streams as possible", () => {
  it("leaves turns to other clients", async () => {
    const shop = await published(readTrustedProxies("127.0.0.1"));
    let streams = 0;
    for (let index = 0; index < 200; index++) {
      const socket = connect(shop.port, "127.0.0.1");
      closers.push(() => socket.destroy());
      socket.on("error", () => {}).once("data", () => streams++);
      socket.write(
        "GET /events HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n",
      );
    }
    await expect.poll(() => streams, { timeout: 5_000 }).toBeGreaterThanOrEqual(140);
    const headers = {
      host: "shop.example",
      "x-forwarded-proto": "https",
      "x-forwarded-for": "9.9.9.9",
    };
    expect(await shop.get(headers)).toHaveProperty("x-forwarded-for", "9.9.9.9");
    expect(streams).toBeLessThan(192);
  });
});

describe("A159 a silent connection is closed", () => {
  const PING = "\x89\0";
  const short = { silentMs: 150, pingMs: 40 };

  /** A stream that is read, and whether it is still open. */
  async function follow(port: number, path: string) {
    const socket = connect(port, "127.0.0.1");
    closers.push(() => socket.destroy());
    socket.on("error", () => {}).resume();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`);
    await once(socket, "data");
    return socket;
  }

  it("a stream without data in either direction, but not one on which the app sends", async () => {
    const shop = await published(undefined, {}, short);
    const lively = await follow(shop.port, "/ticks");
    const silent = await follow(shop.port, "/events");
    await once(silent, "close");
    const again = await follow(shop.port, "/events");
    await once(again, "close");
    expect(lively.destroyed).toBe(false);
  });

  it("a WebSocket whose client answers no ping, whatever the app sends", async () => {
    const shop = await published(undefined, {}, { pingMs: 20 });
    const { socket, said: received } = shop.dial("/agrees");
    await expect.poll(received).toMatch(/^HTTP\/1\.1 101 /);
    const timer = setInterval(() => shop.send(Buffer.from([0x81, 1, 0x61])), 5);
    closers.push(() => clearInterval(timer));
    await once(socket, "close");
    expect(received()).toContain(PING);
    // No ping was inserted within a frame of the app.
    const frames = received().split("\r\n\r\n")[1]!;
    expect(frames.replaceAll(PING, "").replaceAll("\x81\x01a", "")).toBe("");
  });

  it("but not a WebSocket whose client answers pings, which the app never sees", async () => {
    const shop = await published(undefined, {}, short);
    const mute = shop.dial("/agrees");
    const { socket, said: received } = shop.dial("/agrees");
    let pings = 0;
    socket.on("data", (piece: string) => {
      for (const _ of piece.split(PING).slice(1)) {
        pings++;
        socket.write(Buffer.from([0x8a, 0x80, 1, 2, 3, 4]));
      }
    });
    await once(mute.socket, "close");
    await expect.poll(() => pings).toBeGreaterThan(6);
    expect(socket.destroyed).toBe(false);
    const message = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x62]);
    socket.write(message.subarray(0, 3));
    setImmediate(() => socket.write(message.subarray(3)));
    await expect.poll(() => shop.heard().toString("hex")).toBe(message.toString("hex"));
    expect(received()).toMatch(/^HTTP\/1\.1 101 /);
  });
});
