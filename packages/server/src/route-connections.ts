import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Previews } from "./assemble-previews.ts";
import type { Publishing } from "./assemble-publishing.ts";
import type { Routes } from "./assemble-routes.ts";
import type { Accounts } from "@treadle/accounts";
import { endSoon, type Handlers } from "@treadle/common";
import { type Entrance, entranceOf, restoreHost } from "./access/entrance.ts";
import { createPreviewDoor } from "./access/preview-door.ts";
import type { Base } from "./assemble-base.ts";

/**
 * Directs each request and upgrade by its host: to a shared app, a published one, a preview, or
 * Treadle itself.
 */
export function routeConnections(
  { address, settings, previewPasses: passes, guards, lookup }: Base,
  { gateway, shownOf }: Previews,
  { sharing, publications, door, certificates }: Publishing,
  { app, upgrades }: Routes,
  accounts: Accounts | undefined,
): Handlers {
  const { people } = address;
  const { authority, live } = guards;
  const previewDoor =
    people && gateway && passes && accounts && live
      ? createPreviewDoor({
          people,
          gateway,
          passes,
          sessions: accounts.sessions,
          authority,
          live,
          projectOf: (capability) => lookup.projectOf(capability) ?? shownOf(capability),
        })
      : undefined;
  /** The kind of host that the client asked for, after a Host that a proxy replaced was restored. */
  function enter(request: IncomingMessage): Entrance {
    if (!people) return "other";
    restoreHost(request, settings.proxies);
    return entranceOf(request, people, settings.proxies);
  }
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    // Answers requests that cannot be read, such as those with an invalid Host header.
    errorHandler: () => new Response("Bad request", { status: 400 }),
  });
  return {
    request(request, response) {
      const entrance = enter(request);
      const { host } = request.headers;
      if (entrance === "unprotected" || entrance === "closed")
        return refuse(request, response, entrance);
      if (entrance === "own") return void answer(request, response).catch(() => response.destroy());
      const publication = publications.findByHost(host);
      if (sharing.door.handles(host)) sharing.door.handle(request, response);
      else if (publication) door.handle(publication, request, response);
      else if (entrance === "preview" && previewDoor) previewDoor.handle(request, response);
      else if (gateway?.handles(host)) gateway.handle(request, response);
      else if (certificates.handles(request)) certificates.handle(request, response);
      else answer(request, response).catch(() => response.destroy());
    },
    upgrade(request, socket, head) {
      const entrance = enter(request);
      const { host } = request.headers;
      if (entrance === "unprotected" || entrance === "closed") return refuseSocket(socket);
      if (entrance === "own")
        return void upgrades.upgrade(request, socket, head).catch(() => socket.destroy());
      const publication = publications.findByHost(host);
      if (sharing.door.handles(host)) sharing.door.upgrade(request, socket, head);
      else if (publication) door.upgrade(publication, request, socket, head);
      else if (entrance === "preview" && previewDoor) previewDoor.upgrade(request, socket, head);
      else if (gateway?.handles(host)) gateway.upgrade(request, socket, head);
      else upgrades.upgrade(request, socket, head).catch(() => socket.destroy());
    },
  };
}

/** The answers if the web server in front of Treadle is only partly set up. */
const REFUSALS = {
  unprotected:
    "This address is only answered over https. If a web server in front of Treadle receives https, it has to send X-Forwarded-Proto: https, and its own address has to be named with --proxy.",
  closed: "Previews of this server are only at its public address.",
};

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  why: keyof typeof REFUSALS,
): void {
  request.resume();
  response
    .writeHead(403, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(`${REFUSALS[why]}\n`);
}

const refuseSocket = (socket: Duplex) =>
  endSoon(socket, "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
