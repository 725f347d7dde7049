import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { openBrowserProxy, type BrowserProxy } from "./browser-proxy.ts";

const PREVIEW = "abc.localhost:4173";
const ORIGIN = `http://${PREVIEW}`;
const asked: string[] = [];
/** Ports on which the project's own processes listen. */
const listening = new Set<number>();
const gateway = {
  handle: (incoming: IncomingMessage, response: ServerResponse) => {
    asked.push(`${incoming.headers.host} ${incoming.url}`);
    response.end("preview");
  },
  upgrade: (_incoming: IncomingMessage, socket: Duplex) =>
    void socket.end("HTTP/1.1 101 Yes\r\n\r\nupgraded"),
  connect: async (host: string, port: number) =>
    host === PREVIEW && listening.has(port) ? connect(port, "127.0.0.1") : undefined,
};
let proxy: BrowserProxy;
const closers: (() => void)[] = [];
afterEach(async () => {
  asked.length = 0;
  listening.clear();
  for (const close of closers.splice(0)) close();
  await proxy.close();
});

const looked: string[] = [];
const open = async (
  hosts: string[] = [],
  resolve?: (host: string) => Promise<string[]>,
  staticHosts = false,
) => {
  looked.length = 0;
  proxy = await openBrowserProxy({
    gateway,
    outside: {
      registry: { url: new URL("https://npm.example.com/") },
      registries: [{ url: new URL("https://npm.example.com/") }],
      outside: {
        proxies: { except: [] },
        resolve: async (host) => {
          looked.push(host);
          return (await resolve?.(host)) ?? [];
        },
      },
    },
  });
  proxy.begin({ origin: ORIGIN, hosts, staticHosts });
};

/** Another service on this machine. */
async function neighbour(): Promise<number> {
  const server = createServer((incoming, response) =>
    response.end(`secret ${incoming.headers.host}`),
  );
  server.on("upgrade", (_incoming, socket: Duplex) => socket.end("HTTP/1.1 101 Yes\r\n\r\nown"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function get(url: string, host = new URL(url).host) {
  return new Promise<{ status: number; body: string }>((resolve) => {
    const asking = request({ port: Number(proxy.at), path: url, headers: { host } }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text: string) => (body += text));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asking.on("error", () => resolve({ status: 0, body: "" })).end();
  });
}

/** Sends raw bytes, and returns the response. */
const raw = (text: string) =>
  new Promise<string>((resolve) => {
    let got = "";
    const socket = connect(Number(proxy.at), "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (piece: string) => (got += piece));
    socket.on("close", () => resolve(got)).on("error", () => {});
  });
const tunnel = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const upgrade = (host: string) =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

it("passes requests for the preview to the gateway, as if there were no proxy", async () => {
  await open();
  expect(await get(`${ORIGIN}/a?b=1`)).toMatchObject({ status: 200, body: "preview" });
  expect(asked).toEqual([`${PREVIEW} /a?b=1`]);
});

it("does not forward the probe's reports", async () => {
  await open();
  expect(await get(`${ORIGIN}/__treadle/report`)).toMatchObject({ status: 204 });
  expect(asked).toEqual([]);
});

it("tunnels WebSockets of the preview, and nothing else", async () => {
  await open();
  expect(await raw(tunnel(PREVIEW) + upgrade(PREVIEW))).toContain("upgraded");
  expect(await raw(tunnel(PREVIEW) + upgrade("localhost:4173"))).not.toContain("upgraded");
  expect(
    await raw(
      `${tunnel(PREVIEW)}GET / HTTP/1.1\r\nHost: localhost:4173\r\nConnection: close\r\n\r\n`,
    ),
  ).toContain("403");
  expect(asked).toEqual([]);
});

it("A16 refuses another project's preview, whether its name is known or not", async () => {
  await open();
  expect(await get("http://def.localhost:4173/")).toEqual({ status: 403, body: "" });
  expect(await raw(tunnel("def.localhost:4173"))).toContain("403");
  expect(await raw(tunnel(PREVIEW) + upgrade("def.localhost:4173"))).not.toContain("upgraded");
});

it.each(["localhost", "127.0.0.1", "[::1]", "abc.localhost"])(
  "%s with a port means that port of the page's own sandbox, not of this machine",
  async (name) => {
    await open();
    const port = await neighbour();
    const url = `http://${name}:${port}/`;
    expect(await get(url)).toEqual({ status: 0, body: "" });
    expect(await raw(tunnel(`${name}:${port}`))).toContain("502");
    listening.add(port);
    expect(await get(url)).toEqual({ status: 200, body: `secret ${name}:${port}` });
    expect(await raw(tunnel(`${name}:${port}`) + upgrade(`${name}:${port}`))).toContain("own");
    expect(proxy.wantedHosts()).toEqual([]);
  },
);

it.each([
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2130706433.example/",
])("A16 refuses %s, as a request and as a tunnel", async (url) => {
  await open(["2130706433.example"], async () => ["127.0.0.1"]);
  expect(await get(url)).toMatchObject({ status: 403 });
  expect(await raw(tunnel(`${new URL(url).host}:443`))).toContain("403");
  expect(proxy.wantedHosts()).toEqual([{ host: new URL(url).host, why: "unreached" }]);
});

it("A62 refuses a host that the project may not reach, without resolving it, and reports it", async () => {
  await open(["api.example.com"]);
  expect(await get("http://evil.example.com/")).toMatchObject({ status: 403 });
  expect(await raw(tunnel("evil.example.com:443"))).toContain("403");
  expect(looked).toEqual([]);
  expect(proxy.wantedHosts()).toEqual([{ host: "evil.example.com", why: "not-allowed" }]);
});

it("A62 reaches a listed host only at 443 and 80", async () => {
  await open(["api.example.com", "api.example.com:8443"]);
  await raw(tunnel("api.example.com:443"));
  expect(looked).toEqual(["api.example.com"]);
  expect(await raw(tunnel("api.example.com:22"))).toContain("403");
  expect(await raw(tunnel("api.example.com:8443"))).toContain("403");
  expect(looked).toEqual(["api.example.com"]);
});

it("A62 refuses the registry, even if it is listed", async () => {
  await open(["npm.example.com"]);
  expect(await raw(tunnel("npm.example.com:443"))).toContain("403");
  expect(await get("http://npm.example.com/")).toMatchObject({ status: 403 });
  expect(looked).toEqual([]);
});

it("A63 only sends GET to a static host, without identifying data, and only if that is enabled", async () => {
  await open([], undefined, true);
  const send = (line: string, more = "") =>
    raw(`${line} HTTP/1.1\r\nHost: unpkg.com\r\nConnection: close\r\n${more}\r\n`);
  expect(await send("POST http://unpkg.com/x", "Content-Length: 0\r\n")).toContain("405");
  expect(await send("GET http://unpkg.com/x", "Content-Length: 2\r\n")).toContain("413");
  expect(await send("GET http://unpkg.com/x")).toContain("502");
  expect(looked).toEqual(["unpkg.com"]);
  expect(proxy.wantedHosts()).toEqual([{ host: "unpkg.com", why: "unreached" }]);
  await proxy.close();
  await open([], undefined, false);
  expect(await send("GET http://unpkg.com/x")).toContain("403");
  expect(await raw(tunnel("unpkg.com:443"))).toContain("403");
  expect(looked).toEqual([]);
});

it("reports that a public host is unreachable", async () => {
  await open(["away.example.com"], () => Promise.reject(new Error("no such host")));
  expect(await get("http://away.example.com/")).toMatchObject({ status: 502 });
  expect(await raw(tunnel("away.example.com:443"))).toContain("502");
  expect(proxy.wantedHosts()).toEqual([{ host: "away.example.com", why: "unreached" }]);
});

it("A146 refuses a request with two hosts", async () => {
  await open();
  const two = `Host: ${PREVIEW}\r\nhost: other.localhost\r\nConnection: close\r\n`;
  expect(await raw(`GET ${ORIGIN}/ HTTP/1.1\r\n${two}\r\n`)).toContain("400 Bad Request");
  expect(await raw(`${tunnel(PREVIEW)}GET / HTTP/1.1\r\n${two}\r\n`)).toContain("403");
  expect(asked).toEqual([]);
});

it("refuses a request whose Host is not the one it asks for", async () => {
  await open();
  expect(await get(`${ORIGIN}/`, "other.localhost:4173")).toMatchObject({ status: 400 });
  expect(asked).toEqual([]);
});

it("serves nothing before or after a look, and closes the look's connections", async () => {
  await open(["api.example.com"]);
  const socket = connect(Number(proxy.at), "127.0.0.1");
  socket.on("error", () => {});
  await new Promise((done) => socket.once("connect", done));
  await get(`${ORIGIN}/`);
  const ended = new Promise((done) => socket.once("close", done));
  expect(proxy.busy).toBe(true);
  proxy.end();
  await ended;
  expect(proxy.busy).toBe(false);
  expect(await get(`${ORIGIN}/`)).toMatchObject({ status: 400 });
  expect(await raw(tunnel("api.example.com:443"))).toContain("403");
});
