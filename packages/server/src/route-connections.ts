import { getRequestListener } from "@hono/node-server";
import type { Previews } from "./assemble-previews.ts";
import type { Publishing } from "./assemble-publishing.ts";
import type { Routes } from "./assemble-routes.ts";
import type { listenOnLoopback } from "./listen.ts";

type Handlers = Parameters<typeof listenOnLoopback>[1];

/**
 * Directs each request and upgrade by its host: to a shared app, a published one, a preview, or
 * Treadle itself.
 */
export function routeConnections(
  { gateway }: Previews,
  { sharing, publications, door, certificates }: Publishing,
  { app, upgrades }: Routes,
): Handlers {
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    // An invalid Host header matches nothing.
    errorHandler: () => new Response("Bad request", { status: 400 }),
  });
  return {
    request(request, response) {
      const { host } = request.headers;
      const publication = publications.findByHost(host);
      if (sharing.door.handles(host)) sharing.door.handle(request, response);
      else if (publication) door.handle(publication, request, response);
      else if (gateway?.handles(host)) gateway.handle(request, response);
      else if (certificates.handles(request)) certificates.handle(request, response);
      else answer(request, response).catch(() => response.destroy());
    },
    upgrade(request, socket, head) {
      const { host } = request.headers;
      const publication = publications.findByHost(host);
      if (sharing.door.handles(host)) sharing.door.upgrade(request, socket, head);
      else if (publication) door.upgrade(publication, request, socket, head);
      else if (gateway?.handles(host)) gateway.upgrade(request, socket, head);
      else upgrades.upgrade(request, socket, head).catch(() => socket.destroy());
    },
  };
}
