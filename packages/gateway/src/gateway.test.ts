import { createHash, randomBytes } from "node:crypto";
import { request, type IncomingMessage } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  ask,
  startGateway,
  startUpstream,
  testPreview,
  until,
  type AskOptions,
  type TestPreview,
} from "./gateway.test-support.ts";
import { REPORT_LIMIT } from "./report-inlet.ts";
import type { GatewayOptions, PreviewTarget } from "./types.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Listener = (...args: Parameters<Parameters<typeof startUpstream>[0]>) => Promise<void> | void;

async function open(
  listener: Listener,
  more: Partial<PreviewTarget> = {},
  options: Partial<GatewayOptions> = {},
) {
  const upstream = await startUpstream((...args) => void listener(...args));
  closers.push(upstream.close);
  const preview = testPreview([upstream.port], more);
  const gateway = await start({ abc: preview }, options);
  const send = (request: Partial<AskOptions> = {}) =>
    ask({ port: gateway.port, host: `abc.localhost:${gateway.port}`, ...request });
  return { upstream, preview, gateway, send };
}

async function start(
  previews: Record<string, TestPreview>,
  options: Parameters<typeof startGateway>[1] = {},
) {
  const gateway = await startGateway(previews, options);
  closers.push(gateway.close);
  return gateway;
}

const DOCUMENT = { accept: "text/html", "sec-fetch-dest": "document" };
const html: Listener = (_, response) => {
  response.setHeader("content-type", "text/html");
  response.end("<!doctype html><head></head><p>hi");
};

describe("a page that is loading for the person", () => {
  async function openPage(listener: Listener) {
    const received: string[] = [];
    const opened = await open(listener, {
      onPage: () => void received.push("begins"),
      onDrawn: () => void received.push("drawn"),
    });
    return { ...opened, received };
  }
  const FRAME = { accept: "text/html", "sec-fetch-dest": "iframe" };

  test("is reported when it begins in a frame of the workbench; not in a tab of its own, and not for other files", async () => {
    const { send, received } = await openPage(html);
    await send({ headers: DOCUMENT });
    await send({ headers: { "sec-fetch-dest": "script" } });
    expect(received).toEqual([]);
    await send({ headers: FRAME });
    expect(received).toEqual(["begins"]);
  });

  test("is not reported as drawn if it contains no script of Treadle's", async () => {
    const { send, received } = await openPage((_, response) => void response.end("{}"));
    await send({ headers: FRAME });
    expect(received).toEqual([]);
  });

  test("is reported as drawn only by the page itself", async () => {
    const { send, received, gateway } = await openPage(html);
    const drawn = { path: "/__treadle/drawn", method: "POST" };
    const origin = `http://abc.localhost:${gateway.port}`;
    const headers = { origin, "sec-fetch-site": "same-origin" };
    expect((await send({ ...drawn, headers, method: "GET" })).status).toBe(405);
    expect((await send({ ...drawn, headers: { ...headers, origin: "http://x" } })).status).toBe(
      403,
    );
    expect(received).toEqual([]);
    expect((await send({ ...drawn, headers })).status).toBe(204);
    expect(received).toEqual(["drawn"]);
  });
});

describe("requests", () => {
  test("pass method, path, Host, headers and body to the app, and return its response", async () => {
    const { send, gateway } = await open(async (request, response) => {
      let body = "";
      for await (const piece of request) body += String(piece);
      response.writeHead(207, "Odd", { "x-a": ["1", "2"] });
      response.end(JSON.stringify([request.method, request.url, request.headers, body]));
    });
    const answer = await send({
      path: "/a%20b?c=1&c=2",
      method: "PATCH",
      headers: { "x-b": ["3", "4"], "content-type": "text/plain" },
      body: "whole",
    });
    expect(answer.status).toBe(207);
    expect(answer.headers["x-a"]).toBe("1, 2");
    const [method, url, headers, body] = JSON.parse(answer.text);
    expect([method, url, body]).toEqual(["PATCH", "/a%20b?c=1&c=2", "whole"]);
    expect(headers).toMatchObject({ host: `abc.localhost:${gateway.port}`, "x-b": "3, 4" });
  });

  test("pass a body of 20 MB in both directions completely", async () => {
    const { send } = await open((request, response) => void request.pipe(response));
    const body = randomBytes(20 * 1024 * 1024);
    const answer = await send({
      method: "POST",
      body,
      headers: { "transfer-encoding": "chunked" },
    });
    const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    expect(digest(answer.body)).toBe(digest(body));
  });

  test("pass on an event stream as it is written", async () => {
    let write: (text: string) => void = () => {};
    const { gateway } = await open((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      write = (text) => response.write(text);
    });
    const controller = new AbortController();
    const answer = await fetchWithHost(gateway.port, "abc.localhost", controller.signal);
    write("data: one\n\n");
    const first = await answer.next();
    expect(String(first.value)).toBe("data: one\n\n");
    write("data: two\n\n");
    expect(String((await answer.next()).value)).toBe("data: two\n\n");
    controller.abort();
  });

  test("report an app that disconnects before its response; one that disconnects later breaks the response", async () => {
    const { send } = await open((request, response) => {
      if (request.url === "/later") response.write("half");
      setImmediate(() => request.socket.destroy());
    });
    const answer = await send({ headers: DOCUMENT });
    expect(answer.status).toBe(502);
    expect(answer.text).toContain("broke off");
    await expect(send({ path: "/later" })).rejects.toThrow();
  });

  test("drop a status text that cannot be passed on", async () => {
    const { send } = await open((request) => {
      request.socket.end("HTTP/1.1 404 Not\x07Here\r\nContent-Length: 2\r\n\r\nok");
    });
    const { status, text } = await send();
    expect([status, text]).toEqual([404, "ok"]);
  });

  test("accept response heads of 60 KB, and report longer ones", async () => {
    const { send } = await open((request, response) => {
      const size = request.url === "/long" ? 70_000 : 60_000;
      response.writeHead(200, { "x-long": "x".repeat(size) }).end("here");
    });
    const answer = await send({ headers: DOCUMENT });
    expect([answer.status, answer.headers["x-long"]?.length]).toEqual([200, 60_000]);
    const long = await send({ path: "/long", headers: DOCUMENT });
    expect(long.status).toBe(502);
    expect(long.text).toContain("longer than 64 KB");
  });

  test("end the app's work when the browser disconnects", async () => {
    let closed = false;
    const { gateway } = await open((_, response) => {
      response.write("x");
      response.on("close", () => (closed = true));
    });
    const controller = new AbortController();
    const answer = await fetchWithHost(gateway.port, "abc.localhost", controller.signal);
    await answer.next();
    controller.abort();
    expect(await until(() => closed)).toBe(true);
  });

  test("pass on a 413 response while the body is still being sent", async () => {
    const { send } = await open((_, response) => {
      response.writeHead(413, { connection: "close" }).end("too much");
    });
    const answer = await send({ method: "POST", body: Buffer.alloc(64 * 1024) });
    expect([answer.status, answer.text]).toEqual([413, "too much"]);
  });
});

describe("the target of a request", () => {
  test("another of the project's ports has a separate host", async () => {
    const first = await startUpstream((_, response) => void response.end("first"));
    const second = await startUpstream((_, response) => void response.end("second"));
    closers.push(first.close, second.close);
    const preview = testPreview([first.port, second.port]);
    const { port, gateway } = await start({ abc: preview });
    const host = new URL(gateway.originOf("abc", second.port)).host;
    expect((await ask({ port, host })).text).toBe("second");
    expect((await ask({ port, host: "abc.localhost" })).text).toBe("first");
  });

  test("A16 never contacts a port that is not the project's own", async () => {
    const stranger = await startUpstream((_, response) => void response.end("secret"));
    closers.push(stranger.close);
    const { send, preview, gateway, upstream } = await open((_, response) => void response.end());
    for (const port of [stranger.port, gateway.port, 22, 80]) {
      const answer = await send({ host: `abc--${port}.localhost`, headers: DOCUMENT });
      expect(answer.status).toBe(503);
      expect(answer.text).not.toContain("secret");
    }
    for (const path of [
      `http://127.0.0.1:${stranger.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      `//127.0.0.1:${stranger.port}/`,
    ])
      await send({ path });
    expect(new Set(preview.connected)).toEqual(new Set([upstream.port]));
  });

  test("an unknown name leads nowhere, and reveals nothing about others", async () => {
    const { send } = await open(html);
    for (const host of ["abd.localhost", "x.abc.localhost", "abc--x.localhost"]) {
      const answer = await send({ host, headers: DOCUMENT });
      expect(answer.status).toBe(404);
      expect(answer.text).toContain("There is no such preview");
    }
  });

  test("answers 502 if a project cannot be looked up, without crashing", async () => {
    const { port } = await start({}, { resolve: () => Promise.reject(new Error("store")) });
    expect((await ask({ port, host: "abc.localhost" })).status).toBe(502);
  });
});

describe("data that must not be forwarded", () => {
  const echo: Listener = (request, response) => void response.end(JSON.stringify(request.headers));

  test.each([
    ["treadle-4000=secret", undefined],
    ["a=1; treadle-4000=secret; b=2", "a=1; b=2"],
    ["treadle-4000=secret; a=1", "a=1"],
    ["a=1;treadle-4000=secret", "a=1"],
    ["a=1; __Host-treadle=secret", "a=1"],
    ["a=1;  TREADLE-1=secret;", "a=1"],
  ])("A14 no cookie of Treadle reaches the app: %s", async (cookie, expected) => {
    const { send } = await open(echo);
    const seen = JSON.parse((await send({ headers: { cookie } })).text);
    expect(seen.cookie).toBe(expected);
  });

  test("A14 cleans both of two Cookie headers", async () => {
    const { send } = await open(echo);
    const answer = await send({ headers: { cookie: ["a=1", "treadle-1=secret; b=2"] } });
    expect(JSON.parse(answer.text).cookie).toBe("a=1; b=2");
  });

  test("A14 without a known token, forwards no Authorization; with one, forwards the app's own and not Treadle's", async () => {
    const authorization = "Bearer of-the-app";
    const blind = await open(echo);
    expect(JSON.parse((await blind.send({ headers: { authorization } })).text)).not.toHaveProperty(
      "authorization",
    );
    const token = "0123456789abcdef";
    const { send } = await open(echo, {}, { token });
    expect(JSON.parse((await send({ headers: { authorization } })).text)).toMatchObject({
      authorization,
    });
    const basic = `Basic ${Buffer.from(`x:${token}`).toString("base64")}`;
    for (const held of [`Bearer ${token}`, basic])
      expect((await send({ headers: { authorization: held } })).text).not.toContain(held);
    expect((await send({ headers: { "x-any": token } })).text).not.toContain(token);
  });

  test("A13 removes cookies for other hosts and headers with effects beyond the page", async () => {
    const { send } = await open((_, response) => {
      response.writeHead(200, {
        "set-cookie": ["a=1", "b=2; Domain=localhost", "treadle-1=x", "c=3; SameSite=Lax"],
        "clear-site-data": '"*"',
        "service-worker-allowed": "/",
        "x-frame-options": "SAMEORIGIN",
      });
      response.end();
    });
    const { headers } = await send();
    expect(headers["set-cookie"]).toEqual([
      "a=1; SameSite=None; Secure; Partitioned",
      "c=3; SameSite=None; Secure; Partitioned",
    ]);
    for (const name of ["clear-site-data", "x-frame-options"])
      expect(headers).not.toHaveProperty(name);
    // A preview has a separate origin: a service worker for all of it has no effect elsewhere.
    expect(headers["service-worker-allowed"]).toBe("/");
    expect(headers["content-security-policy"]).toMatch(
      /^frame-ancestors 'self' http:\/\/localhost:/,
    );
  });

  test("removes hop-by-hop headers", async () => {
    const { send } = await open(echo);
    const answer = await send({
      headers: { connection: "x-hop", "x-hop": "1", "proxy-authorization": "x", te: "trailers" },
    });
    for (const name of ["x-hop", "proxy-authorization", "te"])
      expect(JSON.parse(answer.text)).not.toHaveProperty(name);
  });
});

describe("the probe in documents", () => {
  test("is inserted first in a document's head, but not in what a script fetches", async () => {
    const { send } = await open(html);
    const document = await send({ headers: DOCUMENT });
    expect(document.text).toMatch(/^<!doctype html><head><script src="\/__treadle\/probe\.js\?v=/);
    expect(document.headers).not.toHaveProperty("content-length");
    const fetched = await send({ headers: { accept: "text/html", "sec-fetch-dest": "empty" } });
    expect(fetched.text).not.toContain("__treadle");
    expect(fetched.headers["content-length"]).toBe("33");
  });

  test("requests documents uncompressed and complete, and decompresses them if necessary", async () => {
    let asked: unknown;
    const { send } = await open((request, response) => {
      asked = [request.headers["accept-encoding"], request.headers["if-none-match"]];
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
      response.end(gzipSync("<head></head>hé"));
    });
    const answer = await send({
      headers: { ...DOCUMENT, "accept-encoding": "gzip, br", "if-none-match": '"x"' },
    });
    expect(asked).toEqual(["identity", undefined]);
    expect(answer.text).toMatch(/^<head><script .*<\/script><\/head>hé$/);
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });

  test("passes on pictures, partial responses and unknown encodings unchanged", async () => {
    const { send } = await open((request, response) => {
      const kind = request.url ?? "";
      if (kind === "/png") response.setHeader("content-type", "image/png");
      else response.setHeader("content-type", "text/html");
      if (kind === "/part") response.statusCode = 206;
      if (kind === "/odd") response.setHeader("content-encoding", "odd");
      response.end("<head>");
    });
    for (const path of ["/png", "/part", "/odd"])
      expect((await send({ path, headers: DOCUMENT })).text).toBe("<head>");
  });

  test("has a script for every page, cached by its version", async () => {
    const { send } = await open(html);
    const address = /src="([^"]+)" data-port="\d+" integrity="([^"]+)"/.exec(
      (await send({ headers: DOCUMENT })).text,
    );
    const script = await send({ path: address?.[1] ?? "" });
    expect(script.headers["content-type"]).toContain("text/javascript");
    expect(script.headers["cache-control"]).toContain("immutable");
    expect(`sha256-${createHash("sha256").update(script.body).digest("base64")}`).toBe(
      address?.[2],
    );
    const small = await send({
      path: address?.[1] ?? "",
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(gunzipSync(small.body).equals(script.body)).toBe(true);
    expect(small.body.length).toBeLessThanOrEqual(3.7 * 1024);
  });
});

describe("reports", () => {
  const report = {
    path: "/",
    status: 200,
    contentType: "text/html",
    title: "",
    rendered: true,
    text: "x",
    uncaughtErrors: [],
    consoleErrors: [],
    failedRequests: [],
    ms: 1,
  };
  const post = (port: number, more: Partial<AskOptions> = {}): AskOptions => ({
    port,
    host: `abc.localhost:${port}`,
    path: "/__treadle/report",
    method: "POST",
    headers: { origin: `http://abc.localhost:${port}`, "sec-fetch-site": "same-origin" },
    body: JSON.stringify(report),
    ...more,
  });

  test("accepts a report of the page with the current revision", async () => {
    const { preview, gateway } = await open(html, { revision: async () => "4f2c" });
    expect((await ask(post(gateway.port))).status).toBe(200);
    expect(preview.reports).toEqual([{ source: "probe", ...report, revision: "4f2c" }]);
  });

  test("refuses those of another page, malformed and oversized ones", async () => {
    const { preview, gateway } = await open(html);
    const from = (headers: Record<string, string>) => ask(post(gateway.port, { headers }));
    const own = `http://abc.localhost:${gateway.port}`;
    expect((await from({})).status).toBe(403);
    expect((await from({ origin: "null" })).status).toBe(403);
    expect((await from({ origin: "http://evil.com" })).status).toBe(403);
    expect((await from({ origin: own, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await ask(post(gateway.port, { method: "PUT" }))).status).toBe(405);
    expect((await ask(post(gateway.port, { body: "{" }))).status).toBe(400);
    const sized = (size: number) => ask(post(gateway.port, { body: "x".repeat(size) }));
    expect((await sized(REPORT_LIMIT)).status).toBe(400);
    expect((await sized(REPORT_LIMIT + 1)).status).toBe(413);
    expect(preview.reports).toEqual([]);
  });

  test("refuses a page that sends endless reports", async () => {
    const { gateway } = await open(html);
    const many = await Promise.all(Array.from({ length: 40 }, () => ask(post(gateway.port))));
    expect(many.filter(({ status }) => status === 429).length).toBeGreaterThan(15);
  });
});

describe("while the app is not up", () => {
  test("shows a page about it for a document, and a message for anything else", async () => {
    const preview = testPreview([]);
    const { port } = await start({ abc: preview });
    const page = await ask({ port, host: "abc.localhost", headers: DOCUMENT });
    expect(page.status).toBe(503);
    expect(page.text).toContain("The app is not running");
    expect(page.headers["cache-control"]).toBe("no-store");
    const other = await ask({ port, host: "abc.localhost" });
    expect(other.text).toBe("The app is not running.\n");
    preview.ports = [1];
    expect((await ask({ port, host: "abc.localhost", headers: DOCUMENT })).text).toContain(
      "The app is starting",
    );
  });

  test.each(["starting", "stopped", "crashed"] as const)("reports %s", async (state) => {
    const { port } = await start({ abc: testPreview([], { state: () => state }) });
    const { text } = await ask({ port, host: "abc.localhost", headers: DOCUMENT });
    const words = { starting: "is starting", stopped: "is not running", crashed: "has crashed" };
    expect(text).toContain(words[state]);
  });

  test("answers requests about its state", async () => {
    const { send, preview } = await open(html);
    const up = async () => JSON.parse((await send({ path: "/__treadle/state" })).text);
    expect(await up()).toEqual({ up: true });
    preview.ports = [];
    expect(await up()).toEqual({ up: false });
  });
});

describe("WebSockets", () => {
  test("pass messages in both directions, with the app's Host and protocol, and without Treadle's cookies", async () => {
    const { upstream, gateway } = await open(html);
    const sockets = new WebSocketServer({ server: upstream.server });
    let seen: Record<string, unknown> = {};
    sockets.on("connection", (socket, request) => {
      seen = request.headers;
      socket.send("welcome");
      socket.on("message", (data, binary) => socket.send(data, { binary }));
    });
    const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/live`, ["chat"], {
      headers: { host: `abc.localhost:${gateway.port}`, cookie: "a=1; treadle-1=secret" },
    });
    const messages: Buffer[] = [];
    client.on("message", (data) => messages.push(data as Buffer));
    await until(() => messages.length === 1);
    const large = randomBytes(1024 * 1024);
    client.send(large);
    await until(() => messages.length === 2);
    expect(String(messages[0])).toBe("welcome");
    expect(messages[1]?.equals(large)).toBe(true);
    expect(client.protocol).toBe("chat");
    expect(seen).toMatchObject({ host: `abc.localhost:${gateway.port}`, cookie: "a=1" });
    client.close();
    await until(() => sockets.clients.size === 0);
    sockets.close();
  });

  test.each([
    ["abd.localhost", 404],
    ["abc--22.localhost", 503],
  ])("A16 refuses %s before the handshake", async (host, status) => {
    const { gateway } = await open(html);
    const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/`, { headers: { host } });
    const answered = await new Promise((resolve) => {
      client.on("unexpected-response", (_, response) => resolve(response.statusCode));
    });
    expect(answered).toBe(status);
    client.on("error", () => {});
    client.terminate();
  });

  test("pass on the app's own refusal", async () => {
    const { upstream, gateway } = await open(html);
    upstream.server.on("upgrade", (_, socket) =>
      socket.end("HTTP/1.1 401 No\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno"),
    );
    const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/`, {
      headers: { host: "abc.localhost" },
    });
    client.on("error", () => {});
    const status = await new Promise((resolve) => {
      client.on("unexpected-response", (_, response) => resolve(response.statusCode));
    });
    expect(status).toBe(401);
    client.terminate();
  });
});

async function fetchWithHost(port: number, host: string, signal: AbortSignal) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, host: "127.0.0.1", headers: { host }, agent: false, signal }, resolve)
      .on("error", reject)
      .end();
  });
  response.on("error", () => {});
  return response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
}
