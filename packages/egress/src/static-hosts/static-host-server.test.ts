import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { connect as connectSecure } from "node:tls";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createConnectProxy } from "../connect-proxy.ts";
import { listen, startLoginProxy, startOrigin } from "../egress.test-support.ts";
import type { Refusal } from "../refusal.ts";
import { readUpstreamProxies } from "../upstream-proxy.ts";
import { createCertificateAuthority } from "./certificate-authority.ts";
import { createStaticHostServer, type StandIn } from "./static-host-server.ts";

const authority = createCertificateAuthority(["unpkg.com", "esm.sh"]);
/** Takes the place of the hosts themselves. */
const theirs = createCertificateAuthority(["unpkg.com"]);
let origin: Awaited<ReturnType<typeof startOrigin>>;
let proxy: Awaited<ReturnType<typeof listen>>;
let on: boolean;
let allowed: string[];
let reachable: boolean;
const refused: Refusal[] = [];
const unreached: string[] = [];
const closers: (() => void)[] = [];

beforeEach(async () => {
  [on, allowed, reachable] = [true, [], true];
  refused.length = unreached.length = 0;
  origin = await startOrigin({ key: theirs.key, cert: theirs.cert });
  const upstream = await startLoginProxy("u:p", () => (reachable ? origin.port : 1));
  const outside = {
    ca: theirs.ca,
    proxies: readUpstreamProxies({}, { HTTPS_PROXY: `http://u:p@127.0.0.1:${upstream.port}` }),
    resolve: async () => [],
  };
  const standIn: StandIn = async ({ pathname }) =>
    pathname === "/font" ? { type: "font/woff2", body: Buffer.from("stand-in") } : undefined;
  const door = createStaticHostServer({
    hosts: ["unpkg.com", "esm.sh"],
    authority,
    outside,
    standIn,
    onUnreached: (host) => unreached.push(host),
  });
  const made = createConnectProxy({
    allowed: () => allowed,
    registries: [],
    outside,
    statics: { server: door, open: () => on },
    onRefused: (refusal) => refused.push(refusal),
  });
  proxy = await listen(made.server);
  closers.push(upstream.close, origin.close, proxy.close);
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function open(target: string): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(proxy.port, "127.0.0.1");
  socket.on("error", () => undefined);
  closers.push(() => socket.destroy());
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  return { socket, answer: String(answer) };
}

/** Sends lines through a tunnel to a static host, with the certificates that sandboxes trust. */
async function ask(lines: string[], host = "unpkg.com"): Promise<string> {
  const { socket } = await open(`${host}:443`);
  const secure = connectSecure({ socket, servername: host, ca: authority.ca });
  let all = "";
  secure.on("data", (piece: Buffer) => (all += String(piece)));
  secure.write([...lines, "Connection: close", "", ""].join("\r\n"));
  await once(secure, "close");
  return all;
}

it("A63 forwards the request, without data about the client", async () => {
  const answer = await ask([
    "GET /react@18?x HTTP/1.1",
    "Host: unpkg.com",
    "Cookie: secret=1",
    "Authorization: Bearer secret",
    "Referer: http://secret.localhost:4173/",
    "Origin: http://secret.localhost:4173",
    "X-Secret: 1",
    "Accept: text/css",
  ]);
  expect(answer).toContain("origin /react@18?x");
  expect(origin.asked).toEqual([
    {
      method: "GET",
      url: "/react@18?x",
      headers: {
        accept: "text/css",
        host: "unpkg.com",
        origin: "http://localhost",
        connection: "close",
      },
    },
  ]);
});

it.each([
  ["405", ["POST /x HTTP/1.1", "Host: unpkg.com", "Content-Length: 0"]],
  ["405", ["PUT /x HTTP/1.1", "Host: unpkg.com", "Content-Length: 0"]],
  ["405", ["OPTIONS /x HTTP/1.1", "Host: unpkg.com"]],
  ["413", ["GET /x HTTP/1.1", "Host: unpkg.com", "Content-Length: 4"]],
  ["413", ["GET /x HTTP/1.1", "Host: unpkg.com", "Transfer-Encoding: chunked"]],
  ["414", [`GET /${"x".repeat(5_000)} HTTP/1.1`, "Host: unpkg.com"]],
  ["421", ["GET /x HTTP/1.1", "Host: evil.example.com"]],
  ["414", ["GET https://evil.example.com/x HTTP/1.1", "Host: unpkg.com"]],
])("A63 refuses with %s what would send more than a request: %j", async (status, lines) => {
  expect(await ask(lines)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(origin.asked).toEqual([]);
});

it("answers in place of an unreachable host, and reports if it cannot", async () => {
  reachable = false;
  expect(await ask(["GET /font HTTP/1.1", "Host: unpkg.com"])).toContain("stand-in");
  expect(unreached).toEqual([]);
  expect(await ask(["GET /x HTTP/1.1", "Host: unpkg.com"])).toMatch(/^HTTP\/1.1 502 /);
  expect(unreached).toEqual(["unpkg.com"]);
});

it("is closed if disabled, and does not replace a host that the project may reach anyway", async () => {
  on = false;
  expect((await open("unpkg.com:443")).answer).toContain("403");
  expect(refused).toEqual([{ host: "unpkg.com", reason: "not-allowed" }]);
  [on, allowed] = [true, ["unpkg.com"]];
  const { socket } = await open("unpkg.com:443");
  const secure = connectSecure({ socket, servername: "unpkg.com", ca: theirs.ca });
  await once(secure, "secureConnect");
  secure.destroy();
});
