import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { openLookerProxy, PROXY_HEADER, type LookerProxy } from "./looker-proxy.ts";

const PREVIEW = "abc.localhost:4173";
const asked: string[] = [];
const gateway = {
  handles: (host: string | undefined) => host === PREVIEW,
  handle: (incoming: IncomingMessage, response: ServerResponse) => {
    asked.push(`${incoming.headers.host} ${incoming.url}`);
    response.end("preview");
  },
  upgrade: (_incoming: IncomingMessage, socket: Duplex) =>
    void socket.end("HTTP/1.1 101 Yes\r\n\r\nupgraded"),
};
let proxy: LookerProxy;
afterEach(async () => {
  asked.length = 0;
  await proxy.close();
});

const open = async (resolve?: (host: string) => Promise<string[]>) => {
  proxy = await openLookerProxy({ gateway, ...(resolve ? { resolve } : {}) });
};

function get(url: string, host = new URL(url).host) {
  return new Promise<{ status: number; why: unknown; body: string }>((resolve, reject) => {
    const asking = request({ port: Number(proxy.at), path: url, headers: { host } }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text: string) => (body += text));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, why: answer.headers[PROXY_HEADER], body }),
      );
    });
    asking.on("error", reject).end();
  });
}

/** Sends bytes, and gives all that came back. */
const raw = (text: string) =>
  new Promise<string>((resolve) => {
    let got = "";
    const socket = connect(Number(proxy.at), "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (piece: string) => (got += piece));
    socket.on("close", () => resolve(got)).on("error", () => {});
  });

it("hands previews to the gateway, as they would be asked for without a proxy", async () => {
  await open();
  expect(await get(`http://${PREVIEW}/a?b=1`)).toMatchObject({ status: 200, body: "preview" });
  expect(asked).toEqual([`${PREVIEW} /a?b=1`]);
});

it("keeps the probe's reports to itself", async () => {
  await open();
  expect(await get(`http://${PREVIEW}/__treadle/report`)).toMatchObject({ status: 204 });
  expect(asked).toEqual([]);
});

it("lets sockets of previews through a tunnel, and nothing else through it", async () => {
  await open();
  const tunnel = `CONNECT ${PREVIEW} HTTP/1.1\r\nHost: ${PREVIEW}\r\n\r\n`;
  const upgrade = (host: string) =>
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  expect(await raw(tunnel + upgrade(PREVIEW))).toContain("upgraded");
  expect(await raw(tunnel + upgrade("localhost:4173"))).not.toContain("upgraded");
  expect(
    await raw(`${tunnel}GET / HTTP/1.1\r\nHost: localhost:4173\r\nConnection: close\r\n\r\n`),
  ).toContain("403");
  expect(asked).toEqual([]);
});

it.each([
  "http://127.0.0.1:22/",
  "http://localhost:4173/",
  "http://[::1]:4173/",
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://def.localhost:4173/",
  "http://rebound.example/",
])("A16: %s is refused, by a request and by a tunnel", async (url) => {
  const neighbour = createServer((_request, response) => response.end("secret"));
  await new Promise<void>((done) => neighbour.listen(0, "127.0.0.1", done));
  const { port } = neighbour.address() as AddressInfo;
  await open(async () => ["127.0.0.1"]);
  try {
    const target = url.replace(":22/", `:${port}/`);
    expect(await get(target)).toEqual({ status: 403, why: "refused", body: "" });
    const { host } = new URL(target);
    const named = host.includes(":", host.lastIndexOf("]") + 1) ? host : `${host}:80`;
    expect(await raw(`CONNECT ${named} HTTP/1.1\r\nHost: ${named}\r\n\r\n`)).toContain("403");
  } finally {
    neighbour.close();
  }
});

it("says of a public host that it cannot be reached", async () => {
  await open(() => Promise.reject(new Error("no such host")));
  expect(await get("http://away.example/")).toMatchObject({ status: 502, why: "unreached" });
  expect(await raw("CONNECT away.example:443 HTTP/1.1\r\nHost: away.example\r\n\r\n")).toContain(
    `502 unreached\r\n${PROXY_HEADER}: unreached`,
  );
});

it("refuses a request whose Host is not the one it asks for", async () => {
  await open();
  expect(await get(`http://${PREVIEW}/`, "other.localhost:4173")).toMatchObject({ status: 400 });
  expect(asked).toEqual([]);
});
