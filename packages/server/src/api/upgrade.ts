import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Store } from "@treadle/store";
import { endSoon } from "@treadle/workspace";
import { WebSocketServer, type WebSocket } from "ws";
import { joinEvents } from "./event-socket.ts";
import { checkAccess, type AccessOptions } from "../access/check-access.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import { joinTerminal, readSize, sourceOf } from "../terminals/terminal-socket.ts";

const EVENTS = /^\/api\/projects\/([a-z0-9]{1,64})\/events$/;
const TERMINAL = /^\/api\/projects\/([a-z0-9]{1,64})\/terminals\/([A-Za-z0-9_-]{1,64})$/;
/** One message of a terminal: a large paste. A page that follows the log says nothing. */
const MESSAGE_BYTES = { terminal: 1024 * 1024, events: 1024 };
/** Sockets at a time, of all pages: each page has one, and one for each of its terminals. */
export const SOCKETS = 256;
/** Bytes that wait for a client above which its pings are not answered: one that does not read could ask without end. */
const WAITING_BYTES = 64 * 1024;

/** Upgrades on the app's own host: the same checks as for every route, before anything else (A4, A6). */
export function createUpgrade(options: {
  store: Store;
  runtimes: Runtimes;
  access(): AccessOptions;
}) {
  const accept = (maxPayload: number) =>
    new WebSocketServer({ noServer: true, maxPayload, autoPong: false }).on(
      "connection",
      answerPings,
    );
  const servers = {
    events: accept(MESSAGE_BYTES.events),
    terminals: accept(MESSAGE_BYTES.terminal),
  };
  const open = new Set<Duplex>();
  return {
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      socket.on("error", () => socket.destroy());
      const { headers } = request;
      const one = (value: string | string[] | undefined) =>
        Array.isArray(value) ? value.join(", ") : value;
      const answer = checkAccess(
        {
          method: request.method ?? "GET",
          upgrade: true,
          host: headers.host,
          origin: headers.origin,
          authorization: headers.authorization,
          cookie: headers.cookie,
          fetchSite: one(headers["sec-fetch-site"]),
        },
        options.access(),
      );
      if (!answer.ok) return refuse(socket, answer.status, answer.message);
      const url = new URL(request.url ?? "/", "http://localhost");
      const [, project = "", terminal] =
        TERMINAL.exec(url.pathname) ?? EVENTS.exec(url.pathname) ?? [];
      const runtime =
        project === "" ? undefined : await options.runtimes.of(project).catch(() => undefined);
      if (!runtime) return refuse(socket, 404, "There is no such address.");
      if (open.size >= SOCKETS)
        return refuse(socket, 503, "Too many pages and terminals are open. Close some of them.");
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      if (terminal === undefined) {
        const given = Number(url.searchParams.get("after") ?? 0);
        const after = Number.isSafeInteger(given) && given > 0 ? given : 0;
        const { log } = options.store;
        const reset = after > (await log.head(project));
        return servers.events.handleUpgrade(request, socket, head, (client) => {
          servers.events.emit("connection", client);
          client.on("error", () => client.terminate());
          // Somebody looks. Nothing waits for it: how it wakes is in the log.
          runtime.wake().catch(() => undefined);
          joinEvents(client, (listener) => log.follow(project, reset ? 0 : after, listener), {
            reset,
            onClose: (close) => runtime.onClose(close),
          });
        });
      }
      const size = readSize(
        url.searchParams.get("columns") ?? undefined,
        url.searchParams.get("rows") ?? undefined,
      );
      servers.terminals.handleUpgrade(request, socket, head, (client) => {
        servers.terminals.emit("connection", client);
        client.on("error", () => client.terminate());
        joinTerminal(client, sourceOf(runtime), terminal, size).catch(() => client.terminate());
      });
    },
    close(): void {
      for (const sockets of Object.values(servers)) {
        for (const client of sockets.clients) client.terminate();
        sockets.close();
      }
    },
  };
}

function answerPings(client: WebSocket): void {
  client.on("ping", (data: Buffer) => {
    if (client.bufferedAmount < WAITING_BYTES) client.pong(data);
  });
}

function refuse(socket: Duplex, status: number, message: string): void {
  const body = Buffer.from(message);
  endSoon(
    socket,
    `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.byteLength}\r\nConnection: close\r\n\r\n${message}`,
  );
}
