import { asSentence } from "@treadle/protocol/sentences";
import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage, type RequestListener, type Server } from "node:http"; // prettier-ignore
import { connect, createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from "node:net"; // prettier-ignore
import { createGunzip, gzipSync } from "node:zlib";
import { WorkspaceError } from "@treadle/workspace";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CONNECTIONS, readTrustedProxies } from "@treadle/common";
import { createPlaces } from "@treadle/gateway";
import { createAnswerWatch } from "./answer-watch.ts";
import { createReleaseSlot } from "./release-slot.ts";
import { createAppConnections } from "./app-connections.ts";
import { createDoor, PUBLISHED_PLACES, type DoorPublication } from "./door.ts";
import type { ReleaseApp } from "./release-app.ts";

const servers: Server[] = [];
const tcpServers: TcpServer[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const server of tcpServers.splice(0)) server.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A published app with these answers, reached as in a sandbox: over half-open connections. */
async function published(
  listener: RequestListener,
  port?: number,
  door = createDoor("token-of-treadle"),
) {
  const app = await listening(listener);
  let [connections, using, mostAtOnce] = [0, 0, 0];
  const sockets: Socket[] = [];
  let state: ReturnType<ReleaseApp["state"]> = "up";
  const errors: string[] = [];
  app.on("connection", () => connections++);
  let isGone = false;
  const dial = async () => {
    if (isGone) throw new WorkspaceError("port", asSentence("nothing listens on port 3000"));
    const socket = connect({ port: port ?? portOf(app), host: "127.0.0.1", allowHalfOpen: true });
    sockets.push(socket);
    mostAtOnce = Math.max(mostAtOnce, sockets.filter(({ destroyed }) => !destroyed).length);
    await once(socket, "connect");
    return socket;
  };
  const releaseApp = {
    connections: createAppConnections(dial),
    connect: dial,
    state: () => state,
    upSince: () => 1,
    hangs: (reason) => {
      state = "asleep";
      errors.push(reason);
      app.closeAllConnections();
    },
    use: async () => {
      using++;
      return () => void using--;
    },
  } as Partial<ReleaseApp> as ReleaseApp;
  const slot = createReleaseSlot();
  slot.put({ release: 1, kind: "app", app: releaseApp });
  const shop: DoorPublication = {
    project: "p",
    slot,
    onRequest() {},
    onError: (_, text) => errors.push(text),
  };
  const front = await listening((request, response) => door.handle(shop, request, response));
  return {
    app,
    front,
    shop,
    answers: slot,
    errors,
    port: portOf(front),
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    using: () => using,
    crash: () => void (state = "starting"),
    /** The app has exited, but its exit event is still pending. */
    leave: () => void (isGone = true),
    ask: (method: string, body = "", path = "/", more: Record<string, string> = {}) =>
      new Promise<string>((resolve, reject) => {
        const asked = ask(
          {
            port: portOf(front),
            method,
            path,
            headers: { host: "shop.localhost", ...more },
            maxHeaderSize: 128 * 1024,
          },
          (answer) => {
            let text = "";
            answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
            answer.on("error", reject);
            answer.on("end", () => resolve(`${answer.statusCode} ${text}`));
          },
        );
        asked.on("error", reject).end(body);
      }),
  };
}

/** An app at the socket level: it receives raw data and writes anything. */
async function appAt(onData: (socket: Socket, text: string) => unknown) {
  const dialled = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (piece) => onData(socket, piece.toString("latin1")));
  });
  tcpServers.push(dialled);
  await once(dialled.listen(0, "127.0.0.1"), "listening");
  return published(() => {}, (dialled.address() as AddressInfo).port);
}

describe("connections to a published app", () => {
  it("are reused", async () => {
    const shop = await published((_, response) => response.end("here"));
    for (let index = 0; index < 5; index++) expect(await shop.ask("GET")).toBe("200 here");
    expect(shop.connections()).toBe(1);
  });

  it("are reused, as many as there were concurrent requests, and make room for requests that need their own", async () => {
    const waiting: (() => void)[] = [];
    const shop = await published((request, response) => {
      if (request.method !== "GET") return void response.end("done");
      waiting.push(() => response.end("here"));
      if (waiting.length === 100) for (const answer of waiting.splice(0)) answer();
    });
    const many = () => Promise.all(Array.from({ length: 100 }, () => shop.ask("GET")));
    expect(new Set([...(await many()), ...(await many())])).toEqual(new Set(["200 here"]));
    expect(shop.connections()).toBe(100);
    await Promise.all(Array.from({ length: 150 }, () => shop.ask("POST", "one")));
    expect(shop.mostAtOnce()).toBe(192);
  });

  it("are not reused once the app has closed its side", async () => {
    const shop = await published((_, response) => response.end("here"));
    await shop.ask("GET");
    const closed = new Promise<void>((resolve) => {
      shop.app.once("request", ({ socket }) => socket.once("close", () => resolve()));
    });
    await shop.ask("GET");
    shop.app.closeIdleConnections();
    await closed;
    expect(await shop.ask("GET")).toBe("200 here");
    expect(shop.connections()).toBe(2);
    expect(shop.errors).toEqual([]);
  });

  it("that break during a request: an idempotent one is repeated, another one never used a shared connection", async () => {
    const asked: string[] = [];
    const seen = new WeakSet();
    const shop = await published((request, response) => {
      asked.push(request.method!);
      if (seen.has(request.socket)) return void request.socket.destroy();
      seen.add(request.socket);
      request.pipe(response);
    });
    expect(await shop.ask("GET")).toBe("200 ");
    expect(await shop.ask("GET")).toBe("200 ");
    expect(await shop.ask("POST", "written once")).toBe("200 written once");
    expect(asked).toEqual(["GET", "GET", "GET", "POST"]);
    expect(shop.errors).toEqual([]);
  });

  it("that event streams keep open do not delay a wait for active requests", async () => {
    const shop = await published((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.write("data: 1\n\n");
    });
    const asked = ask({ port: shop.port, headers: { host: "shop.localhost" } }).end();
    const [stream] = (await once(asked, "response")) as [IncomingMessage];
    await once(stream, "data");
    await shop.answers.drained(shop.answers.current()!, 3_600_000);
    expect([stream.complete, shop.using()]).toEqual([false, 1]);
    stream.destroy();
    await expect.poll(() => shop.using()).toBe(0);
  });

  it("that broke because the request crashed the app: it is not repeated", async () => {
    const asked: string[] = [];
    const shop = await published((request, response) => {
      asked.push(request.url!);
      if (asked.length === 1) return void response.end();
      shop.crash();
      request.socket.destroy();
    });
    await shop.ask("GET");
    expect(await shop.ask("GET")).toBe("502 The app broke off its answer.");
    expect(asked).toHaveLength(2);
  });

  it("that broke because the request crashed the app, before the exit is known: that request is named", async () => {
    const shop = await published((request, response) => {
      if (request.url === "/") return void response.end();
      shop.leave();
      request.socket.destroy();
    });
    await shop.ask("GET");
    expect(await shop.ask("GET", "", "/boom")).toBe("502 The app broke off its answer.");
    expect(shop.errors).toEqual(["GET /boom: the app closed the connection before it answered."]);
  });

  it("that break at once are reported and answered with an error", async () => {
    const shop = await published((request) => request.socket.destroy());
    expect(await shop.ask("GET")).toBe("502 The app broke off its answer.");
    expect(await shop.ask("POST", "x")).toBe("502 The app broke off its answer.");
    expect(shop.errors).toEqual([
      "GET /: the app closed the connection before it answered.",
      "POST /: the app closed the connection before it answered.",
    ]);
  });

  it("break for the client where the app breaks them", async () => {
    const shop = await published((_, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => response.destroy());
    });
    await expect(shop.ask("GET")).rejects.toThrow(/aborted|hang up/);
    await expect.poll(shop.using).toBe(0);
  });

  it("are limited by its sandbox; further requests wait for their turn", async () => {
    const waiting: (() => void)[] = [];
    let [now, most] = [0, 0];
    const door = createDoor("token-of-treadle", { proxies: readTrustedProxies("127.0.0.1") });
    const shop = await published(
      (_, response) => {
        most = Math.max(most, ++now);
        waiting.push(() => {
          now--;
          response.end("here");
        });
      },
      undefined,
      door,
    );
    const ask = (client: string) =>
      shop.ask("GET", "", "/", {
        host: "shop.example",
        "x-forwarded-proto": "https",
        "x-forwarded-for": client,
      });
    const asked = Array.from({ length: 200 }, () => ask("6.6.6.6"));
    await expect.poll(() => waiting.length).toBe(144);
    asked.push(...Array.from({ length: 50 }, () => ask("9.9.9.9")));
    await expect.poll(() => waiting.length).toBe(192);
    while (waiting.length > 0) {
      for (const answer of waiting.splice(0)) answer();
      await new Promise(setImmediate);
    }
    const rest = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 10);
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["200 here"]));
    clearInterval(rest);
    expect(most).toBe(192);
    expect(shop.errors).toEqual([]);
  });

  it("A65 of all apps are fewer than Treadle's total, and one more is refused until another ends", async () => {
    expect(PUBLISHED_PLACES).toBeLessThan(CONNECTIONS - 256);
    const door = createDoor("token", { published: createPlaces(2, 2) });
    const slot: (() => void)[] = [];
    const listener: RequestListener = (_, response) => void slot.push(() => response.end("here"));
    const [shop, other] = [
      await published(listener, undefined, door),
      await published(listener, undefined, door),
    ];
    const asked = [shop.ask("GET"), shop.ask("GET")];
    await expect.poll(() => slot.length).toBe(2);
    expect(await other.ask("GET")).toMatch(/^503 Too many requests/);
    expect(await raw(other.port, head("GET / HTTP/1.1", "Host: x", "Connection: close"))).toMatch(
      /^HTTP\/1\.1 503 /,
    );
    for (const answer of slot.splice(0)) answer();
    expect(await Promise.all(asked)).toEqual(["200 here", "200 here"]);
    const again = other.ask("GET");
    await expect.poll(() => slot.length).toBe(1);
    slot[0]!();
    expect(await again).toBe("200 here");
  });

  it("keep the app awake while somebody reads an answer", async () => {
    const shop = await published((request, response) => {
      if (request.method === "GET") response.write("first ");
      setImmediate(() => response.end(`${shop.using()}`));
    });
    expect(await shop.ask("GET")).toBe("200 first 1");
    await expect.poll(shop.using).toBe(0);
  });
});

/** Sends raw text, and returns everything received until the door closes the connection. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (piece: string) => (answer += piece));
  socket.on("error", () => {});
  socket.write(text, "latin1");
  await once(socket, "close");
  return answer;
}

const head = (...lines: string[]) => [...lines, "", ""].join("\r\n");

describe("a client with contradictory requests", () => {
  it("A145 is answered by the app in its Host, whatever else names another app, and the app sees no other name", async () => {
    const shop = await published((request, response) =>
      response.end(`${request.url} ${JSON.stringify(request.rawHeaders)}`),
    );
    const answer = await raw(
      shop.port,
      head(
        "GET http://other.localhost/private?x HTTP/1.1",
        "Host: shop.localhost",
        "X-Forwarded-Host: other.localhost",
        "X-Forwarded-For: 1.2.3.4",
        "Forwarded: host=other.localhost;for=1.2.3.4",
        "X-Original-Host: kept.localhost",
        "Connection: close, x-hop",
        "X-Hop: 1",
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\/private\?x \[/);
    expect(answer).not.toMatch(/other\.localhost|1\.2\.3\.4|x-hop/i);
    expect(answer).toContain('"x-forwarded-host","shop.localhost"');
  });

  it.each([
    ["two lengths", ["Content-Length: 4", "Content-Length: 40"]],
    ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
    ["chunks by another name", ["Transfer-Encoding: xchunked", "Content-Length: 4"]],
    ["chunks that are not the last encoding", ["Transfer-Encoding: chunked, identity"]],
    ["chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]],
    ["a blank before the colon", ["Transfer-Encoding : chunked", "Content-Length: 4"]],
    ["a length with a sign", ["Content-Length: +4"]],
    ["a folded line", ["X: a", " Transfer-Encoding: chunked"]],
    ["a line end of its own", ["X: a\nTransfer-Encoding: chunked"]],
  ])("A146 hides no second request in its body: %s", async (_, lines) => {
    const asked: string[] = [];
    const shop = await published((request, response) => {
      asked.push(request.url!);
      request.resume().on("end", () => response.end("here"));
    });
    const hidden = head("GET /hidden HTTP/1.1", "Host: shop.localhost");
    const answer = await raw(
      shop.port,
      `${head("POST /first HTTP/1.1", "Host: shop.localhost", ...lines)}0\r\n\r\n${hidden}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked).not.toContain("/hidden");
  });

  it("A146 bytes after a complete request are a separate request to the same app", async () => {
    const asked: string[] = [];
    const shop = await published((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on("end", () => response.end("here"));
    });
    await raw(
      shop.port,
      head("POST /first HTTP/1.1", "Host: shop.localhost", "Content-Length: 2") +
        "ab" +
        head("GET /second HTTP/1.1", "Host: shop.localhost", "Connection: close"),
    );
    expect(asked).toEqual(["POST /first", "GET /second"]);
  });

  it("A147 an app that sends more than was requested cannot affect another answer", async () => {
    const extra = head("HTTP/1.1 200 OK", "Content-Length: 8") + "poisoned";
    let count = 0;
    const shop = await appAt((socket) => {
      const own = `own ${++count}`;
      const answer = head("HTTP/1.1 200 OK", `Content-Length: ${own.length}`) + own;
      socket.write(answer + extra);
    });
    for (const number of [1, 2, 3]) expect(await shop.ask("GET")).toBe(`200 own ${number}`);
  });

  it("is redirected to the first page of an app that has none at /", async () => {
    const shop = await published((request, response) => response.end(request.url));
    const releaseServer = shop.answers.current()!;
    shop.answers.put({ ...releaseServer, entry: "/docs" } as typeof releaseServer);
    const answer = await fetch(`http://127.0.0.1:${shop.port}/`);
    expect([new URL(answer.url).pathname, await answer.text()]).toEqual(["/docs", "/docs"]);
  });

  it("`OPTIONS *` reaches no app", async () => {
    const shop = await published((_, response) => response.end("here"));
    const answer = await raw(
      shop.port,
      head("OPTIONS * HTTP/1.1", "Host: shop.localhost", "Connection: close"),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(shop.errors).toEqual([]);
  });

  it("that leaves before the answer is no error of the app", async () => {
    const arrived = Promise.withResolvers<void>();
    const shop = await published((request) => {
      arrived.resolve();
      request.socket.once("close", () => left.resolve());
    });
    const left = Promise.withResolvers<void>();
    const socket = connect(shop.port, "127.0.0.1");
    socket.write(head("GET /slow HTTP/1.1", "Host: shop.localhost"));
    await arrived.promise;
    socket.destroy();
    await left.promise;
    await expect.poll(shop.using).toBe(0);
    expect(shop.errors).toEqual([]);
  });
});

describe("answers of a published app", () => {
  it("that precede the end of an upload reach a client that sends everything first", async () => {
    const shop = await published((_, response) => void response.writeHead(413).end("too much"));
    const socket = connect(shop.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    const size = 32 * 1024 * 1024;
    socket.write(head("POST / HTTP/1.1", "Host: shop.localhost", `Content-Length: ${size}`));
    const sent = Promise.withResolvers<void>();
    socket.once("error", sent.reject);
    socket.write(Buffer.alloc(size), () => sent.resolve());
    await sent.promise;
    await expect.poll(() => received).toContain("too much");
    socket.write(head("GET / HTTP/1.1", "Host: shop.localhost"));
    await expect.poll(() => received.split("too much").length).toBe(3);
    expect(shop.errors).toEqual([]);
    socket.destroy();
  });

  it("arrive even if the app rejects an upload at once and closes the connection", async () => {
    const shop = await appAt((socket, text) => {
      if (!text.startsWith("POST")) return;
      socket.end(
        "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo much",
      );
      // With unread data, the connection is reset under a client that still writes.
      socket.pause().destroySoon();
    });
    const upload = Buffer.alloc(4 * 1024 * 1024, "a").toString("latin1");
    for (let times = 0; times < 5; times++)
      expect(await shop.ask("POST", upload)).toBe("413 too much");
    expect(shop.errors).toEqual([]);
  });

  it("arrive even if Treadle's own thread was busy meanwhile", async () => {
    const shop = await appAt((socket, text) => {
      if (!text.startsWith("POST")) return;
      socket.end(
        "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo much",
      );
      socket.pause().destroySoon();
      const until = performance.now() + 200;
      while (performance.now() < until);
    });
    const upload = Buffer.alloc(4 * 1024 * 1024, "a").toString("latin1");
    for (let times = 0; times < 5; times++)
      expect(await shop.ask("POST", upload)).toBe("413 too much");
    expect(shop.errors).toEqual([]);
  });

  it("have a status without a reason phrase if the app's phrase is invalid", async () => {
    const shop = await appAt((socket) =>
      socket.end(head("HTTP/1.1 404 Not\x07Here", "Content-Length: 2") + "ok"),
    );
    for (const method of ["GET", "POST"]) expect(await shop.ask(method)).toBe("404 ok");
    expect(shop.errors).toEqual([]);
  });

  it("follow an unrequested `100 Continue`, wherever the bytes are split", async () => {
    const answer = [
      head("HTTP/1.1 100 Continue") + head("HTTP/1.1 103 Early Hints", "Link: </a.css>") + head("HTTP/1.0 100 Continue", "X: y"), // prettier-ignore
      head("HTTP/1.1 200 OK", "Content-Length: 19") + head("HTTP/1.1 100 ok"),
    ].join("");
    let at = 0;
    const shop = await appAt((socket) => {
      // Each time in two parts, split at the next position.
      const cut = (at += 11) % answer.length;
      socket.setNoDelay().write(answer.slice(0, cut));
      setImmediate(() => setImmediate(() => socket.write(answer.slice(cut))));
    });
    for (let times = 0; times < 16; times++)
      expect(await shop.ask(times % 2 ? "POST" : "GET")).toBe(`200 ${head("HTTP/1.1 100 ok")}`);
    expect(shop.errors).toEqual([]);
  });

  it("are complete with the head if they have no body, whatever length it states", async () => {
    const shop = await appAt((socket, text) => {
      const isKept = text.includes("if-none-match");
      if (isKept)
        socket.write(head("HTTP/1.1 304 Not Modified", "Content-Length: 1234", 'ETag: "a"'));
      else socket.write(`${head("HTTP/1.1 204 No Content", "Content-Length: 5")}hello`);
    });
    const lines = ["GET / HTTP/1.1", "Host: shop.localhost", "Connection: close"];
    for (let times = 0; times < 2; times++) {
      expect(await raw(shop.port, head(...lines, 'If-None-Match: "a"'))).toMatch(
        /^HTTP\/1\.1 304 Not Modified\r\n[^]*content-length: 1234\r\n[^]*\r\n\r\n$/,
      );
      const none = await raw(shop.port, head(...lines));
      expect(none).toMatch(/^HTTP\/1\.1 204 No Content\r\n[^]*\r\n\r\n$/);
      expect(none).not.toMatch(/content-length|hello/);
    }
    expect(shop.errors).toEqual([]);
    await expect.poll(() => shop.using()).toBe(0);
  });

  it("may have a head of 60 KB; a longer one is reported as too long", async () => {
    const shop = await published((request, response) => {
      const size = request.method === "GET" ? 60_000 : 70_000;
      response.writeHead(200, { "x-long": "x".repeat(size) }).end("here");
    });
    expect(await shop.ask("GET")).toBe("200 here");
    const why =
      "The app's answer has more than 64 KB of headers, which is the most that is passed on.";
    expect(await shop.ask("POST")).toBe(`502 ${why}`);
    expect(shop.errors).toEqual([`POST /: ${why}`]);
  });

  it("are passed on unchanged, head and chunks, without connection headers", async () => {
    const shop = await published((_, response) => {
      response.writeHead(203, "As it was", [
        ["Content-Type", "text/event-stream"],
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
        ["X-Latin", "caf\u00e9"],
        ["Keep-Alive", "timeout=99"],
        ["Alt-Svc", 'h2=":443"'],
      ] as never);
      response.write("data: 1\n\n");
      setImmediate(() => response.end("data: 2\n\n"));
    });
    const answer = await raw(
      shop.port,
      head("GET / HTTP/1.1", "Host: shop.localhost", "Connection: close"),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 203 As it was\r\n/);
    expect(answer).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/i);
    expect(answer).toContain("caf\u00e9");
    expect(answer).not.toMatch(/timeout=99|alt-svc/i);
    expect(answer).toMatch(/data: 1\n\n[^]*data: 2\n\n/);
  });

  it("have identical heads, whether the body arrives at once or later", async () => {
    for (const isLate of [false, true]) {
      const later = Promise.withResolvers<void>();
      const shop = await appAt((socket) => {
        const answer = head("HTTP/1.1 200 OK", "X-Name: caf\u00e9", "Transfer-Encoding: chunked");
        socket.write(isLate ? answer : `${answer}2\r\nok\r\n0\r\n\r\n`, "latin1");
        if (isLate) void later.promise.then(() => socket.write("2\r\nok\r\n0\r\n\r\n"));
      });
      const socket = connect(shop.port, "127.0.0.1");
      let received = "";
      socket.setEncoding("latin1").on("data", (piece: string) => (received += piece));
      const closed = once(socket, "close");
      socket.write(head("GET / HTTP/1.1", "Host: shop.localhost", "Connection: close"));
      await expect.poll(() => received).toContain("x-name: caf\u00e9\r\n");
      later.resolve();
      await closed;
      expect(received).toMatch(isLate ? /\r\n\r\n2\r\nok\r\n0\r\n\r\n$/ : /\r\n\r\nok$/);
    }
  });

  it("state their length if all of it arrived at once, byte for byte", async () => {
    const every = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 256));
    for (const size of [0, 1, 512, 20_000]) {
      const body = every.subarray(0, size);
      const full = Buffer.concat([
        Buffer.from(head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")),
        Buffer.from(size === 0 ? "" : `${size.toString(16)}\r\n`),
        body,
        Buffer.from(`${size === 0 ? "" : "\r\n"}0\r\n\r\n`),
      ]);
      const shop = await appAt((socket) => socket.write(full));
      const answer = await raw(
        shop.port,
        head("GET / HTTP/1.1", "Host: shop.localhost", "Connection: close"),
      );
      const at = answer.indexOf("\r\n\r\n") + 4;
      expect(answer.slice(0, at)).toContain(`content-length: ${size}\r\n`);
      expect(answer.slice(0, at)).not.toMatch(/transfer-encoding/i);
      expect(Buffer.from(answer.slice(at), "latin1").equals(body)).toBe(true);
    }
  });

  it("to HEAD state no length that the app did not state", async () => {
    const shop = await published((request, response) => {
      if (request.url === "/told") response.setHeader("content-length", 7);
      response.end("not sent");
    });
    const asked = (path: string) =>
      raw(shop.port, head(`HEAD ${path} HTTP/1.1`, "Host: shop.localhost", "Connection: close"));
    expect(await asked("/told")).toMatch(/content-length: 7\r\n[^]*\r\n\r\n$/i);
    expect(await asked("/")).not.toContain("content-length: 0");
  });

  it("that end with the connection are complete if it ends, and broken if it breaks", async () => {
    const shop = await appAt((socket, text) => {
      socket.write(`${head("HTTP/1.1 200 OK", "Content-Type: text/plain")}all of it`, () =>
        text.startsWith("GET") ? socket.end() : socket.resetAndDestroy(),
      );
    });
    expect(await shop.ask("GET")).toBe("200 all of it");
    await expect(shop.ask("POST")).rejects.toThrow();
  });

  it("follow a request body of unknown length, complete and byte for byte", async () => {
    const encodings: (string | undefined)[] = [];
    const shop = await published((request, response) => {
      encodings.push(request.headers["transfer-encoding"]);
      request.pipe(response);
    });
    const every = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const asked = ask({ port: shop.port, method: "POST", headers: { host: "shop.localhost" } });
    for (let at = 0; at < every.length; at += 7_001) asked.write(every.subarray(at, at + 7_001));
    asked.end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of answer) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).equals(every)).toBe(true);
    expect(await shop.ask("POST", "once more")).toBe("200 once more");
    expect(encodings).toEqual(["chunked", undefined]);
  });

  it("that are empty are reported, and not requested again", async () => {
    let times = 0;
    const shop = await appAt((socket) => {
      if (++times === 1) return socket.write(`${head("HTTP/1.1 200 OK", "Content-Length: 2")}ok`);
      return socket.end(head("HTTP/1.1 200 OK", "Content-Length: 9"));
    });
    expect(await shop.ask("GET")).toBe("200 ok");
    expect(await shop.ask("GET")).toBe("502 The app broke off its answer.");
    expect(times).toBe(2);
    expect(shop.errors).toHaveLength(1);
    await expect.poll(() => shop.using()).toBe(0);
  });

  it("with a head that cannot be passed on affect no other answer", async () => {
    // Headers that an app's server may write and Node rejects.
    const odd = ["X-Odd: a\x01b", "X-Odd: a\x7fb", "X-Odd: \u20ac", "X Odd: a", ": a"];
    for (const line of odd)
      for (const [status, end, body] of [
        ["200 OK", "Content-Length: 2", "ok"],
        ["200 OK", "Transfer-Encoding: chunked", "2\r\nok\r\n0\r\n\r\n"],
        ["304 Not Modified", 'ETag: "a"', ""],
      ] as const) {
        const shop = await appAt((socket) =>
          socket.write(head(`HTTP/1.1 ${status}`, line, end) + body),
        );
        expect(await shop.ask("GET"), line).toMatch(
          /^200 ok$|^304 $|^502 The app broke off its answer\.$/,
        );
        expect(await shop.ask("POST"), line).toMatch(/^200 ok$|^304 $|^502 The app broke/);
        await expect.poll(() => shop.using()).toBe(0);
      }
  });

  it("that never come end the app, and its visitors do not wait forever", async () => {
    const soon = createAnswerWatch({ patienceMs: 50, healthMs: 50 });
    const door = createDoor("token-of-treadle", { watch: soon });
    const shop = await published(() => undefined, undefined, door);
    const slot = await Promise.all([shop.ask("GET"), shop.ask("POST"), shop.ask("GET")]);
    expect(slot).toEqual(Array(3).fill("502 The app broke off its answer."));
    expect(shop.errors.filter((text) => text.includes("answered nobody"))).toHaveLength(1);
    expect(shop.errors).toContain("POST /: the app closed the connection before it answered.");
  });

  it("may take any time while others are answered", async () => {
    const watch = createAnswerWatch({ patienceMs: 50, healthMs: 60_000 });
    const door = createDoor("token-of-treadle", { watch });
    const asked = Promise.withResolvers<void>();
    const shop = await published(
      ({ method }, response) => {
        // The slow request is answered after the health check.
        if (method === "POST") void asked.promise.then(() => response.end("at last"));
        else {
          response.end("here");
          asked.resolve();
        }
      },
      undefined,
      door,
    );
    expect(await shop.ask("POST")).toBe("200 at last");
    expect(shop.errors).toEqual([]);
  });

  it("may be pages with any header names", async () => {
    const shop = await published((_, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        constructor: "a",
        ["__proto__"]: "b",
      });
      response.end("<html><head></head><body>here</body></html>");
    });
    shop.shop.visits = { onReport() {}, onRefused() {} };
    const lines = ["Host: shop.localhost", "Sec-Fetch-Dest: document", "Connection: close"];
    const answer = await raw(shop.port, head("GET / HTTP/1.1", ...lines));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*constructor: a\r\n[^]*__proto__: b\r\n/);
    expect(shop.errors).toEqual([]);
  });

  it("leave no transform behind once the client has left", async () => {
    const unpacking = vi.spyOn(createGunzip().constructor.prototype, "destroy");
    const page = gzipSync("<html><head></head><body>here</body></html>");
    const shop = await published((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
      response.write(page.subarray(0, 20));
    });
    shop.shop.visits = { onReport() {}, onRefused() {} };
    const headers = { host: "shop.localhost", "sec-fetch-dest": "document" };
    const asked = ask({ port: shop.port, headers }).end();
    await once(asked, "response");
    expect(unpacking).not.toHaveBeenCalled();
    asked.on("error", () => {}).destroy();
    await expect.poll(() => unpacking.mock.calls.length).toBeGreaterThan(0);
    await expect.poll(() => shop.using()).toBe(0);
  });

  it("may arrive in many chunks for a slow reader, which is waited for once", async () => {
    const pieces = 200_000;
    const shop = await appAt((socket) =>
      socket.write(
        `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}${"1\r\na\r\n".repeat(pieces)}0\r\n\r\n`,
      ),
    );
    const waits: number[] = [];
    shop.front.on("request", (_, response) =>
      response.on("newListener", (event) => {
        if (event === "drain") waits.push(response.listenerCount("drain"));
      }),
    );
    expect(await shop.ask("GET")).toBe(`200 ${"a".repeat(pieces)}`);
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBe(0);
  });

  it("are sent at the pace of the reader", async () => {
    let written = 0;
    const piece = Buffer.alloc(64 * 1024);
    const shop = await published((_, response) => {
      const more = () => {
        while (written++ < 4096 && response.write(piece));
      };
      response.on("drain", more);
      more();
    });
    const socket = connect(shop.port, "127.0.0.1");
    socket.pause();
    socket.write(head("GET / HTTP/1.1", "Host: shop.localhost"));
    let before = -1;
    await expect
      .poll(
        () => {
          const isAtRest = written > 0 && written === before;
          before = written;
          return isAtRest;
        },
        { interval: 300, timeout: 10_000 },
      )
      .toBe(true);
    // 256 MB would have come; only a few buffers are held in between.
    expect(written * piece.length).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
  });
});
