import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Handlers, openListener, shutListener } from "@treadle/common";
import { forwardRequest, forwardUpgrade, type Destination } from "./forward.ts";
import { openInternalDoor } from "./internal-door.ts";

const SECRET = "s".repeat(32);

/** A free port; nothing listens there. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a request to a server that does not own the project", () => {
  let seen: { headers: IncomingMessage["headers"]; raw: string[]; client: string | undefined }[];
  let destination: Destination;
  let unreachable: number;
  let port: number;
  let closers: (() => Promise<void>)[];

  beforeEach(async () => {
    seen = [];
    unreachable = 0;
    const see = ({ headers, rawHeaders, socket }: IncomingMessage) =>
      seen.push({ headers, raw: rawHeaders, client: socket.remoteAddress });
    const owner: Handlers = {
      request(request, response) {
        see(request);
        response.setHeader("set-cookie", ["a=1", "b=2"]);
        request.pipe(response);
      },
      upgrade(request, socket, head) {
        see(request);
        socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\nhello "); // prettier-ignore
        if (head.length > 0) socket.write(head);
        socket.pipe(socket);
      },
    };
    const inner = await freePort();
    const door = await openInternalDoor({ host: "127.0.0.1", port: inner, secret: SECRET }, owner);
    destination = {
      address: `http://127.0.0.1:${inner}`,
      secret: SECRET,
      onUnreachable: () => void unreachable++,
    };
    const front = await openListener("127.0.0.1", 0, {
      request: (request, response) => forwardRequest(request, response, destination),
      upgrade: (request, socket, head) => forwardUpgrade(request, socket, head, destination),
    });
    port = (front.address() as AddressInfo).port;
    closers = [() => shutListener(front), door.close];
  });
  afterEach(async () => {
    for (const close of closers) await close();
  });

  const headers = {
    host: "builder.example.org",
    "x-treadle-client": "203.0.113.9",
    "x-treadle-cluster": "guessed",
    "x-forwarded-for": "198.51.100.7",
  };

  async function send(
    to: number,
    body: string,
  ): Promise<{ answer: IncomingMessage; text: string }> {
    const sent = ask({ host: "127.0.0.1", port: to, method: "POST", path: "/a?b=1", headers });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { answer, text: (await answer.toArray()).join("") };
  }

  it("is answered by the owner, who sees what the first server saw and none of what passes between them", async () => {
    const body = "x".repeat(300_000);
    const { answer, text } = await send(port, body);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(text).toBe(body);
    const [{ headers: arrived, raw, client } = seen[0]!] = seen;
    expect(arrived).toMatchObject({ host: headers.host, "x-forwarded-for": "198.51.100.7" });
    expect(JSON.stringify([arrived, raw])).not.toMatch(/x-treadle|ssss|guessed/);
    expect(client).toBe("127.0.0.1");
  });

  it("cannot reach the internal address without the secret", async () => {
    const { answer } = await send(Number(new URL(destination.address).port), "");
    expect(answer.statusCode).toBe(403);
    expect(seen).toEqual([]);
  });

  it("is answered 503 if the owner cannot be reached, whose address is then looked up again", async () => {
    destination = { ...destination, address: `http://127.0.0.1:${await freePort()}` };
    const { answer } = await send(port, "text");
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(unreachable).toBe(1);
  });

  it("passes a socket on in both directions until either side ends", async () => {
    const sent = ask({
      host: "127.0.0.1",
      port,
      headers: { ...headers, connection: "Upgrade", upgrade: "websocket" },
    });
    sent.end();
    const [, socket, head] = (await once(sent, "upgrade")) as [IncomingMessage, Duplex, Buffer];
    let text = head.toString();
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    socket.write("there");
    await expect.poll(() => text).toBe("hello there");
    expect(seen[0]?.headers).toMatchObject({ upgrade: "websocket", host: headers.host });
    socket.end();
    await once(socket, "close");
  });
});
