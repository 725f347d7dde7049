import { once } from "node:events";
import { createServer, request as ask, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { readTrustedProxies } from "@treadle/common";
import type { PreviewTarget } from "@treadle/gateway";
import type { StoredShare } from "./stored-share.ts";
import { createPreviewWay } from "./preview-way.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

const SHARE: StoredShare = { id: "s", project: "p", kind: "preview", at: 0, uses: 0 };

/** A guest's access to an app; requests have this Host. */
async function guestOf(
  more: Partial<PreviewTarget> = {},
  redirect = (port: number) => `http://localhost:${port}/next`,
) {
  const app = createServer((request, response) => {
    if (request.url === "/go") return response.writeHead(302, { location: redirect(port) }).end();
    response.end(JSON.stringify({ host: request.headers.host, origin: request.headers.origin }));
  });
  const port = await listening(app);
  const target: PreviewTarget = {
    project: "p",
    ports: () => [port],
    async connect(to) {
      const socket = connect(to, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
    onReport() {},
    ...more,
  };
  const way = createPreviewWay(
    async () => target,
    "token-of-treadle",
    readTrustedProxies(undefined),
  );
  const door = createServer((request, response) => void way.handle(request, response, SHARE));
  door.on("upgrade", (request, socket, head) => void way.upgrade(request, socket, head, SHARE));
  const front = await listening(door);
  return {
    port,
    front,
    app,
    get: (path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; text: string; location: string | undefined }>((resolve) => {
        ask({ port: front, path, headers: { host: "share-a.localhost", ...headers } }, (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
          answer.on("end", () =>
            resolve({ status: answer.statusCode!, text, location: answer.headers.location }),
          );
        }).end();
      }),
  };
}

describe("a guest's access to a preview", () => {
  it("A132 cannot send messages on a development server's own socket, but receives its updates", async () => {
    const { app, front } = await guestOf();
    const heard: string[] = [];
    const sockets = new WebSocketServer({ server: app });
    sockets.on("connection", (socket, { headers }) => {
      socket.on("message", (text) => heard.push(`${headers["sec-websocket-protocol"]}: ${String(text)}`)); // prettier-ignore
      socket.send("changed");
    });
    const host = "share-a.localhost";
    const openSocket = async (protocol: string) => {
      const socket = new WebSocket(`ws://127.0.0.1:${front}/`, protocol, { headers: { host } });
      const [answer] = (await once(socket, "message")) as [Buffer];
      for (const text of ["short", "l".repeat(300), "e".repeat(70_000)]) socket.send(text);
      // It answers a ping, so an earlier message would have arrived by then.
      socket.ping("x");
      await once(socket, "pong");
      socket.close();
      await once(socket, "close");
      return String(answer);
    };
    expect(await openSocket("vite-hmr")).toBe("changed");
    expect(heard).toEqual([]);
    expect(await openSocket("chat")).toBe("changed");
    expect(heard).toHaveLength(3);
    sockets.close();
  });

  it("gives an app that only accepts this machine's names one of those if the link has a domain", async () => {
    const { port, get } = await guestOf();
    const own = "https://share-a.apps.example.com";
    const { text } = await get("/", { host: "share-a.apps.example.com", origin: own });
    expect(JSON.parse(text)).toEqual({
      host: `localhost:${port}`,
      origin: `http://localhost:${port}`,
    });
    const here = await get("/", { host: "share-a.localhost:4173" });
    expect(JSON.parse(here.text)).toEqual({ host: "share-a.localhost:4173" });
  });

  it("rewrites redirects to the app itself to the link's host, and blocks others to this machine", async () => {
    const own = await guestOf();
    expect((await own.get("/go")).location).toBe("/next");
    const other = await guestOf({}, () => "http://localhost:4173/p/abc");
    expect((await other.get("/go")).location).toBe("http://localhost:4173/p/abc");
  });

  it("wakes a sleeping app three times, then says that it rests", async () => {
    let woken = 0;
    let asleep = true;
    const { get } = await guestOf({
      isAsleep: () => asleep,
      state: () => (asleep ? "stopped" : "up"),
      async wake() {
        woken++;
        asleep = false;
      },
    });
    const answers: number[] = [];
    for (let times = 0; times < 5; times++) {
      asleep = true;
      answers.push((await get("/")).status);
    }
    expect(answers).toEqual([200, 200, 200, 503, 503]);
    expect(woken).toBe(3);
  });
});
