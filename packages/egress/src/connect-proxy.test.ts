import { createServer } from "node:http";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "./certificate.test-support.ts";
import { createConnectProxy, type ConnectProxyOptions } from "./connect-proxy.ts";
import {
  listen,
  send,
  startLoginProxy,
  startOrigin,
  type Listening,
} from "./egress.test-support.ts";
import type { Refusal } from "./refusal.ts";
import { readUpstreamProxies } from "./upstream-proxy.ts";

let origin: Awaited<ReturnType<typeof startOrigin>>;
let proxy: Listening;
let made: ReturnType<typeof createConnectProxy>;
let allowed: string[];
let refused: Refusal[];
/** Addresses of names; no real resolver is used. */
let names: Record<string, string[]>;
const looked: string[] = [];
const closers: (() => void)[] = [];

async function start(more: Partial<ConnectProxyOptions> = {}): Promise<void> {
  made = createConnectProxy({
    allowed: () => allowed,
    registries: [],
    outside: {
      proxies: { except: [] },
      async resolve(host) {
        looked.push(host);
        return names[host] ?? [];
      },
    },
    onRefused: (refusal) => refused.push(refusal),
    ...more,
  });
  proxy = await listen(made.server);
  closers.push(() => proxy.close());
}

beforeEach(async () => {
  origin = await startOrigin();
  closers.push(() => origin.close());
  allowed = [];
  refused = [];
  names = {};
  looked.length = 0;
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const tunnelTo = (target: string) =>
  send(proxy.port, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
const get = (url: string) =>
  send(proxy.port, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

describe("a host that is not on the list", () => {
  it("A28 is refused at once by name, and never resolved", async () => {
    await start();
    expect(await tunnelTo("secret.evil.com:443")).toMatch(
      /^HTTP\/1\.1 403 [^]*x-treadle-refused: not-allowed secret\.evil\.com[^]*egress refused: host secret\.evil\.com is not among/,
    );
    expect(await get("http://secret.evil.com/x")).toMatch(
      /^HTTP\/1\.1 403 [^]*egress refused: host/,
    );
    expect(await tunnelTo("secret.evil.com:22")).toContain("403");
    expect(refused).toEqual([
      { host: "secret.evil.com", reason: "not-allowed" },
      { host: "secret.evil.com", reason: "not-allowed" },
      { host: "secret.evil.com:22", reason: "not-allowed" },
    ]);
    expect(looked).toEqual([]);
  });

  it("A29 a requested wildcard is no name, and cannot be allowed with a click", async () => {
    await start();
    expect(await tunnelTo("*.example.com:443")).toContain("is not the name of a public host");
    expect(refused).toEqual([{ host: "*.example.com", reason: "no-name" }]);
  });

  it("does not create headers from a name's content", async () => {
    await start();
    const answer = await tunnelTo("a\u00e4\tb:443");
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(answer.split("\r\n\r\n")[0]).toMatch(/^[\x20-\x7e\r\n]*$/);
  });
});

describe("A39 an allowed name", () => {
  it.each([
    ["127.0.0.1"],
    ["10.0.0.7"],
    ["192.168.1.1"],
    ["169.254.169.254"],
    ["100.64.0.1"],
    ["::1"],
    ["fd00::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["1.1.1.1", "127.0.0.1"],
  ])("that resolves to %s is refused, with the reason", async (...addresses) => {
    allowed = ["api.example.com"];
    names = { "api.example.com": addresses };
    await start();
    expect(await tunnelTo("api.example.com:443")).toContain("this machine's own network");
    expect(await get("http://api.example.com/")).toContain("this machine's own network");
    expect(refused.map(({ reason }) => reason)).toEqual(["address", "address"]);
    expect(origin.asked).toEqual([]);
  });

  it("is resolved once for the check and the connection", async () => {
    allowed = ["api.example.com:1"];
    // The second answer would be this machine.
    let answers = [["192.0.2.1"], ["127.0.0.1"]];
    await start({
      outside: {
        proxies: { except: [] },
        resolve: async () => answers.shift() ?? ["127.0.0.1"],
      },
    });
    expect(await tunnelTo("api.example.com:1")).toContain("403");
    expect(answers.length).toBe(1);
  });
});

describe("behind a proxy with authentication", () => {
  beforeEach(async () => {
    const upstream = await startLoginProxy("user:p@ss", () => origin.port);
    closers.push(() => upstream.close());
    allowed = ["api.example.com"];
    await start({
      outside: {
        proxies: readUpstreamProxies(
          {},
          { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${upstream.port}` },
        ),
        resolve: async (host) => names[host] ?? [],
      },
    });
  });

  it("tunnels and plain requests arrive, with the login added by the proxy here", async () => {
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write("CONNECT api.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    socket.write("GET /inner HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toContain("200 OK");
    socket.destroy();
    expect(origin.asked.at(-1)?.url).toBe("/inner");
    expect(JSON.stringify(origin.asked)).not.toContain("proxy-authorization");
  });

  it("still refuses a name that resolves to this network here", async () => {
    names = { "api.example.com": ["10.0.0.1"] };
    expect(await tunnelTo("api.example.com:443")).toContain("this machine's own network");
  });

  it("a host that is not on the list does not reach the upstream proxy", async () => {
    expect(await tunnelTo("evil.com:443")).toContain("403");
    expect(origin.asked).toEqual([]);
  });
});

it("plain requests to the upstream proxy have the absolute address and the login", async () => {
  const upstream = await startLoginProxy("u:p", () => origin.port);
  closers.push(() => upstream.close());
  allowed = ["api.example.com"];
  await start({
    outside: {
      proxies: readUpstreamProxies({}, { HTTP_PROXY: `http://u:p@127.0.0.1:${upstream.port}` }),
      resolve: async () => [],
    },
  });
  const answer = await send(
    proxy.port,
    "POST http://api.example.com/a?b HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic own\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
  );
  expect(answer).toContain("origin /a?b");
  expect(upstream.asked[0]).toMatchObject({ method: "POST", url: "http://api.example.com/a?b" });
  expect(upstream.refused).toBe(0);
});

it("reaches a private registry only at its own host and port, read-only", async () => {
  const registry = createServer((request, response) => response.end(`registry ${request.url}`));
  await start({
    registries: [{ url: new URL(`http://127.0.0.1:${origin.port}/npm/`), server: registry }],
  });
  expect(await get(`http://127.0.0.1:${origin.port}/npm/react`)).toContain("registry /npm/react");
  expect(await get(`http://127.0.0.1:${origin.port + 1}/npm/react`)).toContain("403");
  expect(await tunnelTo(`127.0.0.1:22`)).toContain("403");
  expect(origin.asked).toEqual([]);
});

/** An open tunnel through a proxy that connects everything to `origin`. */
async function standing(target: string, port = () => origin.port) {
  const upstream = await startLoginProxy("u:p", port);
  closers.push(() => upstream.close());
  await start({
    outside: {
      proxies: readUpstreamProxies({}, { HTTPS_PROXY: `http://u:p@127.0.0.1:${upstream.port}` }),
      resolve: async () => [],
    },
  });
  const socket = connect(proxy.port, "127.0.0.1");
  socket.on("error", () => undefined);
  closers.push(() => socket.destroy());
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toContain("200");
  return socket;
}

it("serves a client that asks the proxy to encrypt, if the server is the requested one", async () => {
  const secure = await startOrigin({ key: KEY, cert: CERTIFICATE });
  const upstream = await startLoginProxy("u:p", () => secure.port);
  closers.push(
    () => secure.close(),
    () => upstream.close(),
  );
  allowed = ["stand-in.example.com", "other.example.com"];
  await start({
    outside: {
      ca: CERTIFICATE,
      proxies: readUpstreamProxies({}, { HTTPS_PROXY: `http://u:p@127.0.0.1:${upstream.port}` }),
      resolve: async () => [],
    },
  });
  expect(await get("https://stand-in.example.com/x")).toMatch(/^HTTP\/1\.1 200 [^]*origin \/x/);
  expect(await get("https://other.example.com/x")).toMatch(/^HTTP\/1\.1 502 /);
  expect(await get("https://evil.example.com/x")).toContain(
    "egress refused: host evil.example.com",
  );
  expect(secure.asked.map(({ headers }) => headers.host)).toEqual(["stand-in.example.com"]);
});

describe("the content of a tunnel", () => {
  const ask = (socket: Socket, servername: string) =>
    new Promise<string>((done) => {
      const secure = connectSecure({ socket, servername, rejectUnauthorized: false });
      let all = "";
      secure.on("data", (piece: Buffer) => (all += String(piece)));
      secure.on("error", (error) => done(error.message));
      secure.on("close", () => done(all));
      secure.write("GET /in HTTP/1.1\r\nHost: a.example.com\r\nConnection: close\r\n\r\n");
    });

  it("is TLS that names a listed host", async () => {
    const secure = await startOrigin({ key: KEY, cert: CERTIFICATE });
    closers.push(() => secure.close());
    allowed = ["a.example.com"];
    const socket = await standing("a.example.com:443", () => secure.port);
    expect(await ask(socket, "a.example.com")).toContain("origin /in");
    expect(refused).toEqual([]);
  });

  it.each(["b.example.com", "registry.npmjs.org"])(
    "A60 is refused before any byte is forwarded if it names %s, which is not listed",
    async (name) => {
      allowed = ["a.example.com"];
      const socket = await standing("a.example.com:443");
      expect(await ask(socket, name)).toMatch(/unrecognized.name/i);
      expect(refused).toEqual([{ host: name, reason: "not-allowed" }]);
      expect(origin.asked).toEqual([]);
    },
  );

  it.each([
    ["TLS that names nobody", () => connectSecure],
    ["what is neither TLS nor HTTP", () => undefined],
  ])("A60 is refused if it is %s", async (_what, secure) => {
    allowed = ["a.example.com"];
    const socket = await standing("a.example.com:443");
    const ended = once(socket, "close");
    if (secure()) void ask(socket, "");
    else socket.resume().write("SSH-2.0-x\r\n");
    await ended;
    expect(refused).toEqual([{ host: "a.example.com", reason: "not-named" }]);
    expect(origin.asked).toEqual([]);
  });

  it("A60 is plain HTTP in which each request names a listed host", async () => {
    allowed = ["a.example.com"];
    const socket = await standing("a.example.com:80");
    let all = "";
    socket.on("data", (piece: Buffer) => (all += String(piece)));
    const line = (host: string, more = "") =>
      `GET /${host} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
    socket.write(line("a.example.com"));
    await once(socket, "data");
    socket.write(line("b.example.com", "Connection: close\r\n"));
    await once(socket, "close");
    expect(all).toContain("origin /a.example.com");
    expect(all).toContain("egress refused: host b.example.com");
    expect(origin.asked.map(({ url }) => url)).toEqual(["/a.example.com"]);
  });
});

it.each(["npm.example.com:443", "NPM.example.com.:443", "npm.example.com:80"])(
  "A61 refuses a tunnel to the registry (%s), even if its host is listed",
  async (target) => {
    allowed = ["npm.example.com"];
    await start({
      registries: [{ url: new URL("https://npm.example.com/"), server: createServer() }],
    });
    expect(await tunnelTo(target)).toContain("is the package registry");
    expect(looked).toEqual([]);
  },
);

it("is cut at once when its host is removed from the list", async () => {
  const upstream = await startLoginProxy("u:p", () => origin.port);
  closers.push(() => upstream.close());
  allowed = ["a.example.com", "b.example.com"];
  await start({
    outside: {
      proxies: readUpstreamProxies({}, { HTTPS_PROXY: `http://u:p@127.0.0.1:${upstream.port}` }),
      resolve: async () => [],
    },
  });
  const open = async (host: string) => {
    const socket = connect(proxy.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "data");
    return socket;
  };
  const [a, b] = [await open("a.example.com"), await open("b.example.com")];
  allowed = ["b.example.com"];
  made.recheck();
  await once(a, "close");
  expect(b.destroyed).toBe(false);
  b.destroy();
});
