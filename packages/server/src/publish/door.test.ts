import { once } from "node:events";
import { createServer, request as ask, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createAnswers } from "./answering.ts";
import { createAppAgent } from "./app-agent.ts";
import { createDoor } from "./door.ts";
import type { ReleasedApp } from "./released-app.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A published app that answers so, reached as one in a sandbox is: over connections that stay half open. */
async function published(listener: RequestListener) {
  const app = await listening(listener);
  let [connections, using] = [0, 0];
  let state: ReturnType<ReleasedApp["state"]> = "up";
  app.on("connection", () => connections++);
  const dial = async () => {
    const socket = connect({ port: portOf(app), host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    return socket;
  };
  const released = {
    agent: createAppAgent(dial),
    connect: dial,
    state: () => state,
    use: async () => {
      using++;
      return () => void using--;
    },
  } as Partial<ReleasedApp> as ReleasedApp;
  const answers = createAnswers();
  answers.put({ release: 1, kind: "app", app: released });
  const errors: string[] = [];
  const door = createDoor(
    () => ({
      project: "p",
      answers,
      onRequest() {},
      onError: (_, text) => errors.push(text),
    }),
    "token-of-treadle",
  );
  const front = await listening((request, response) => door.handle(request, response));
  return {
    app,
    errors,
    connections: () => connections,
    using: () => using,
    crash: () => void (state = "starting"),
    ask: (method: string, body = "") =>
      new Promise<string>((resolve, reject) => {
        const asked = ask(
          { port: portOf(front), method, headers: { host: "shop.localhost" } },
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

describe("connections to a published app", () => {
  it("are used again", async () => {
    const shop = await published((_, response) => response.end("here"));
    for (let index = 0; index < 5; index++) expect(await shop.ask("GET")).toBe("200 here");
    expect(shop.connections()).toBe(1);
  });

  it("are not, once the app has closed its side", async () => {
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

  it("that break under a request: what may be asked for twice is, what changes something never shared one", async () => {
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

  it("that broke since the request ended the app: it does not so again", async () => {
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

  it("break at once: that is told, and said", async () => {
    const shop = await published((request) => request.socket.destroy());
    expect(await shop.ask("GET")).toBe("502 The app broke off its answer.");
    expect(await shop.ask("POST", "x")).toBe("502 The app broke off its answer.");
    expect(shop.errors).toEqual(["GET /: socket hang up", "POST /: socket hang up"]);
  });

  it("are broken off for the reader where the app breaks off in the midst", async () => {
    const shop = await published((_, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => response.destroy());
    });
    await expect(shop.ask("GET")).rejects.toThrow(/aborted|hang up/);
    await expect.poll(shop.using).toBe(0);
  });

  it("keep it awake as long as somebody reads its answer", async () => {
    const shop = await published((request, response) => {
      if (request.method === "GET") response.write("first ");
      setImmediate(() => response.end(`${shop.using()}`));
    });
    expect(await shop.ask("GET")).toBe("200 first 1");
    await expect.poll(shop.using).toBe(0);
  });
});
