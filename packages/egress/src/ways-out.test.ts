import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectSecure } from "node:tls";
import { afterEach, expect, it } from "vitest";
import { listen, startOrigin } from "./egress.test-support.ts";
import { createWaysOut } from "./ways-out.ts";
import { PROXY_SOCKET } from "./proxy-socket.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

it("A61 answers for Yarn 1's name of the registry, read-only", async () => {
  const origin = await startOrigin();
  const out = createWaysOut({
    registry: {
      url: new URL(`http://127.0.0.1:${origin.port}/npm/`),
      scopes: [],
      proxies: { except: [] },
    },
    reachable: { hosts: [], staticHosts: false },
    onRefused: () => undefined,
  });
  const proxy = out.ways.find(({ socket }) => socket === PROXY_SOCKET)!.server;
  const way = await listen(proxy as Server);
  closers.push(way.close, origin.close, out.close);
  const ask = async (line: string) => {
    const socket = connect(way.port, "127.0.0.1");
    socket.write("CONNECT registry.yarnpkg.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    const secure = connectSecure({ socket, servername: "registry.yarnpkg.com", ca: out.trusted });
    let all = "";
    secure.on("data", (piece: Buffer) => (all += String(piece)));
    secure.write(
      `${line} HTTP/1.1\r\nHost: registry.yarnpkg.com\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    await once(secure, "close");
    return all;
  };
  expect(await ask("GET /left-pad/-/left-pad-1.3.0.tgz")).toContain(
    "origin /npm/left-pad/-/left-pad-1.3.0.tgz",
  );
  expect(await ask("GET /npm/left-pad")).toContain("origin /npm/left-pad");
  expect(await ask("PUT /left-pad")).toMatch(/^HTTP\/1.1 405 /);
  expect(await ask("GET /-/whoami")).toMatch(/^HTTP\/1.1 403 /);
  expect(origin.asked.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

it("the app's PostgreSQL database has its own socket, whose connections end with the sandbox; without a database there is none", async () => {
  const taken: Duplex[] = [];
  const open = (database?: (connection: Duplex) => void) =>
    createWaysOut({
      registry: { url: new URL("http://127.0.0.1:1/"), scopes: [], proxies: { except: [] } },
      reachable: { hosts: [], staticHosts: false },
      database,
      onRefused: () => undefined,
    });
  const out = open((connection) => {
    taken.push(connection);
    connection.write("welcome");
  });
  const { server, port } = out.ways.find(({ socket }) => socket === "postgres.sock")!;
  expect(out.env).toMatchObject({ PGHOST: "127.0.0.1", PGPORT: String(port) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [answer] = (await once(client, "data")) as [Buffer];
  expect(String(answer)).toBe("welcome");
  const gone = once(client, "close");
  out.close();
  await gone;
  expect(taken[0]!.destroyed).toBe(true);
  const without = open();
  expect(without.ways.map(({ socket }) => socket)).not.toContain("database.sock");
  expect(Object.keys(without.env).filter((name) => name.startsWith("PG"))).toEqual([]);
  without.close();
});
