import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Accounts, Action, Authority } from "@treadle/accounts";
import type { Store } from "@treadle/store";
import { endSoon } from "@treadle/common";
import { type Tabs } from "@treadle/workspace";
import { WebSocketServer, type WebSocket } from "ws";
import { joinEvents } from "./conversation/event-socket.ts";
import { latestTurns } from "./conversation/latest-turns.ts";
import type { LiveAccess } from "../access/live-access.ts";
import { checkAccess, type AccessOptions } from "../access/check-access.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import type { ProjectRuntime } from "../runtime/types.ts";
import { TOGETHER_MESSAGE_BYTES, type Rooms } from "@treadle/co-editing";
import { joinTab } from "../tabs/join-tab.ts";
import {
  joinLanguageServer,
  joinTerminal,
  LANGUAGE_SERVERS,
  readSize,
  sourceOf,
} from "@treadle/terminals";

/** The kinds of sockets, each with the action that it requires and the form of its path. */
const SOCKET_KINDS = [
  { kind: "events", action: "project.view", path: /^\/api\/projects\/([a-z0-9]{1,64})\/events$/ },
  {
    kind: "terminals",
    action: "project.terminals",
    path: /^\/api\/projects\/([a-z0-9]{1,64})\/terminals\/([A-Za-z0-9_-]{1,64})$/,
  },
  {
    kind: "languages",
    action: "project.edit",
    path: /^\/api\/projects\/([a-z0-9]{1,64})\/language-servers\/([a-z]{1,20})$/,
  },
  {
    kind: "together",
    action: "project.view",
    path: /^\/api\/projects\/([a-z0-9]{1,64})\/together$/,
  },
  { kind: "tabs", action: "project.edit", path: /^\/api\/projects\/([a-z0-9]{1,64})\/tab$/ },
] as const satisfies { kind: string; action: Action; path: RegExp }[];

/** The kind of socket at a path, with its project; undefined if there is none. */
function socketAt(pathname: string) {
  for (const { kind, action, path } of SOCKET_KINDS) {
    const [, project, name] = path.exec(pathname) ?? [];
    if (project !== undefined) return { kind, action, project, name };
  }
  return undefined;
}

/**
 * Maximum message sizes, in bytes: a terminal's for a large paste, an editor's for opening a file.
 * A page that follows the log sends nothing.
 */
const MESSAGE_BYTES = {
  terminal: 1024 * 1024,
  events: 1024,
  language: 8 * 1024 * 1024,
  together: TOGETHER_MESSAGE_BYTES,
  /** The output of a command arrives in one message. */
  tab: 64 * 1024 * 1024,
};
/** Maximum number of open language servers: per project, whose memory they use, and in total. */
const LANGUAGE_SERVERS_OPEN = { project: 4, all: 16 };
/** Maximum number of open sockets, of all pages together. */
export const SOCKETS = 256;
/**
 * Number of unsent bytes beyond which pings are not answered, since a client that does not read
 * could send them endlessly.
 */
const WAITING_BYTES = 64 * 1024;

/** Handles upgrades on Treadle's own host. The same checks as for every route come first of all (A4, A6). */
export function createUpgrade(options: {
  store: Store;
  runtimes: Runtimes;
  tabs: Tabs;
  access(): AccessOptions;
  authority: Authority;
  live?: LiveAccess | undefined;
  /** The rooms in which people work together; undefined if there is only the person at this machine. */
  together?: { rooms: Rooms; people: Pick<Accounts["people"], "get"> } | undefined;
}) {
  const accept = (maxPayload: number) =>
    new WebSocketServer({ noServer: true, maxPayload, autoPong: false }).on(
      "connection",
      answerPings,
    );
  const servers = {
    events: accept(MESSAGE_BYTES.events),
    terminals: accept(MESSAGE_BYTES.terminal),
    languages: accept(MESSAGE_BYTES.language),
    together: accept(MESSAGE_BYTES.together),
    tabs: accept(MESSAGE_BYTES.tab),
  };
  const open = new Set<Duplex>();

  function helpWithLanguage(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { id, workspace, isAwake }: ProjectRuntime,
    name: string | undefined,
  ): void {
    const known = LANGUAGE_SERVERS.find((one) => one === name);
    if (!known) return refuse(socket, 404, "There is no such address.");
    const ofProject = [...helped.values()].filter((one) => one === id).length;
    if (helped.size >= LANGUAGE_SERVERS_OPEN.all || ofProject >= LANGUAGE_SERVERS_OPEN.project)
      return refuse(socket, 503, "Too many editors have a language server. Close some of them.");
    helped.set(socket, id);
    socket.once("close", () => helped.delete(socket));
    servers.languages.handleUpgrade(request, socket, head, (client) => {
      servers.languages.emit("connection", client);
      client.on("error", () => client.terminate());
      joinLanguageServer(client, known, { open: workspace, isOpen: isAwake }).catch(() =>
        client.terminate(),
      );
    });
  }
  /** Sockets of language servers, each with its project. */
  const helped = new Map<Duplex, string>();
  return {
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      socket.on("error", () => socket.destroy());
      const { headers } = request;
      const one = (value: string | string[] | undefined) =>
        Array.isArray(value) ? value.join(", ") : value;
      const answer = await checkAccess(
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
      if (!answer.ok) return refuse(socket, answer.status, answer.reason.text);
      const url = new URL(request.url ?? "/", "http://localhost");
      const asked = socketAt(url.pathname);
      if (!asked) return refuse(socket, 404, "There is no such address.");
      const { kind, action, project, name } = asked;
      const decision = await options.authority.decide(answer.principal, action, { project });
      if (decision === "forbidden") return refuse(socket, 403, "You may not do this here.");
      const runtime =
        decision === "allowed"
          ? await options.runtimes.get(project).catch(() => undefined)
          : undefined;
      if (!runtime) return refuse(socket, 404, "There is no such address.");
      if (open.size >= SOCKETS)
        return refuse(socket, 503, "Too many pages and terminals are open. Close some of them.");
      open.add(socket);
      const { principal } = answer;
      const holder = { project };
      const { together } = options;
      const person = await together?.people.get(principal.person);
      if (kind === "together" && !person) return refuse(socket, 404, "There is no such address.");
      const mayEdit =
        kind === "together" &&
        (await options.authority.decide(principal, "project.edit", holder)) === "allowed";
      // An editor who becomes a viewer is disconnected, and reconnects as a viewer.
      const watched = mayEdit ? "project.edit" : action;
      const end = () => socket.destroy();
      const unwatch = options.live?.watch({ principal, action: watched, holder, end });
      if (unwatch) socket.once("close", unwatch);
      socket.once("close", () => open.delete(socket));
      if (kind === "tabs") {
        const record = await options.store.projects.get(project);
        if (record?.runsIn !== "tab")
          return refuse(socket, 409, "This project runs on the server, as its settings say.");
        // The project is in use from here on, so deferred work may begin.
        runtime.workspace().catch(() => undefined);
        return servers.tabs.handleUpgrade(request, socket, head, (client) => {
          servers.tabs.emit("connection", client);
          const forget = runtime.onClose(() => client.close(1001));
          client.on("close", forget);
          client.on("error", () => client.terminate());
          joinTab(client, options.tabs.get(project), headers.origin ?? `http://${headers.host}`);
        });
      }
      if (kind === "together" && together && person)
        return servers.together.handleUpgrade(request, socket, head, (client) => {
          servers.together.emit("connection", client);
          client.on("error", () => client.terminate());
          const forget = runtime.onClose(() => client.close(1012, "over"));
          client.on("close", forget);
          together.rooms.join(client, runtime, { person: { id: person.id, name: person.name }, mayEdit }); // prettier-ignore
        });
      if (kind === "languages") return helpWithLanguage(request, socket, head, runtime, name);
      if (kind === "events") {
        const given = Number(url.searchParams.get("after") ?? 0);
        const after = Number.isSafeInteger(given) && given > 0 ? given : 0;
        const { log } = options.store;
        const reset = after > (await log.head(project));
        const isFirst = after === 0 && url.searchParams.get("latest") === "first";
        const latest = isFirst ? await latestTurns(log, project) : undefined;
        return servers.events.handleUpgrade(request, socket, head, (client) => {
          servers.events.emit("connection", client);
          client.on("error", () => client.terminate());
          // Somebody views the project, so its server is woken. The wake-up is reported in the log and not awaited.
          runtime.wake().catch(() => undefined);
          joinEvents(
            client,
            (listener) =>
              runtime.personPage.following(log.follow(project, reset ? 0 : after, listener)),
            { reset, latest, onClose: (close) => runtime.onClose(close) },
          );
        });
      }
      const size = readSize(
        url.searchParams.get("columns") ?? undefined,
        url.searchParams.get("rows") ?? undefined,
      );
      servers.terminals.handleUpgrade(request, socket, head, (client) => {
        servers.terminals.emit("connection", client);
        client.on("error", () => client.terminate());
        joinTerminal(client, sourceOf(runtime), name ?? "", {
          size,
          // The id tells people apart; a person without an account any more has no name.
          person: together && { id: principal.person, name: person?.name ?? "" },
        }).catch(() => client.terminate());
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
