import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  admitUpgrade,
  appOrigins,
  isHeadTooLong,
  isPreviewHost,
  previewDomainOf,
  previewOrigin,
  readPreviewHost,
  readRequestTarget,
  refuseRequest,
  type RequestTarget,
  SAFE_METHODS,
  siblingOrigin,
} from "@treadle/common";
import {
  isOwnPath,
  OWN_ROOT,
  PROBE_PATH,
  probeScript,
  WATCH_PATH,
  watchScript,
} from "@treadle/probe";
import { type OwnScript, packScript } from "./answer-script.ts";
import type { Admission } from "./content-policy.ts";
import { Misnamed, proxyRequest } from "./proxy-request.ts";
import { proxyUpgrade, refuseUpgrade } from "./proxy-upgrade.ts";
import { hearMessages } from "./hear-messages.ts";
import { limitPolicy } from "./limit-policy.ts";
import { localhostOf, neighbourOf, previewLocation } from "./localhost-names.ts";
import { createPortProtocols } from "./port-protocol.ts";
import { createPlaces, PREVIEW_PLACES } from "./places.ts";
import { createOwnAnswers } from "./answer-own-paths.ts";
import { isDocumentRequest, isFramed, upstreamHeaders } from "./request-headers.ts";
import { browserHeaders } from "./response-headers.ts";
import type { LookOrigin } from "@treadle/browser";
import type { Gateway, GatewayOptions, PreviewTarget, Rewriting } from "./types.ts";
import { awake, choosePort, WAKE_MS, waitingFor } from "./target-port.ts";
import { answerWaiting } from "./waiting-page.ts";

/** The gateway: forwards a Host to a port inside one project's sandbox, and nowhere else. */
export function createGateway({ resolve, appOrigin, people, token }: GatewayOptions): Gateway {
  const speech = createPortProtocols();
  const [requests, sockets] = [
    createPlaces(PREVIEW_PLACES.requests, PREVIEW_PLACES.requests),
    createPlaces(PREVIEW_PLACES.sockets, PREVIEW_PLACES.sockets),
  ];
  const answerOwn = createOwnAnswers(speech, ownOrigin);
  let known:
    | { origin: string; probe: OwnScript; watch: OwnScript; embedders: string[] }
    | undefined;

  /** The scripts and origins for Treadle's own address, which is unknown before the server listens. */
  function facts() {
    const origin = people?.origin ?? appOrigin();
    if (known?.origin !== origin) {
      const origins = appOrigins(origin);
      // A policy cannot contain an address in brackets.
      const embedders = origins.filter((one) => !one.includes("["));
      const [probe, watch] = [packScript(probeScript(origins)), packScript(watchScript(origins))];
      known = { origin, probe, watch, embedders };
    }
    return known;
  }

  function admission(host: string): Admission {
    const { probe, watch, embedders } = facts();
    return { own: ownOrigin(host) + OWN_ROOT, hashes: [probe.hash, watch.hash], embedders };
  }

  async function find(host: string | undefined) {
    const domain = previewDomainOf(host ?? "");
    const isKnown = isPreviewHost(host) || domain === people?.previewDomain;
    const named = isKnown ? readPreviewHost(host, domain) : undefined;
    const target = named && (await resolve(named.capability));
    return named && target ? { named, target } : undefined;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: RequestTarget,
    look: LookOrigin | undefined,
  ): Promise<void> {
    const looked = look !== undefined;
    const path = asked.text;
    const found = await find(request.headers.host);
    if (!found) return answerWaiting(request, response, 404, "unknown");
    const { target, named } = found;
    if (isOwnPath(path)) return answerOwn(path, request, response, found, facts());
    const leave = requests.take(target.project, "");
    if (!leave) return answerWaiting(request, response, 503, "crowded");
    response.once("close", leave);
    await awake(target, isDocumentRequest(request) ? WAKE_MS.page : WAKE_MS.other);
    const port = choosePort(target, named);
    if (port === undefined)
      return answerWaiting(request, response, 503, named.port ? "no-port" : waitingFor(target));
    const socket = await speech.connect(target, port).catch(() => undefined);
    if (!socket) return answerWaiting(request, response, 503, waitingFor(target));
    socket.on("error", () => socket.destroy());
    if (response.destroyed) return void socket.destroy();
    if (!looked) target.onRequest?.();
    if (!SAFE_METHODS.has(request.method ?? "")) target.onWrite?.();
    const { probe, watch } = facts();
    const limit = looked ? undefined : await target.limit?.();
    const own = ownOrigin(request.headers.host ?? "");
    const origins = () => target.ports().map((one) => siblingOrigin(own, one));
    await proxyRequest(request, response, {
      ...reach(request, target, port, look),
      limit: limit && limitPolicy(limit, origins()),
      socket,
      target: asked,
      onPage() {
        if (!looked && request.headers["sec-fetch-dest"] === "iframe") target.onPage?.();
      },
      isMisnamed: () => speech.refusesName(target, port, path),
      tag: (isIsolated) =>
        `<script src="${PROBE_PATH}?v=${probe.version}" data-port="${port}"${isIsolated ? ` data-isolated="1"` : ""}${probe.attributes}></script>` +
        (looked || !isFramed(request)
          ? ""
          : `<script src="${WATCH_PATH}?v=${watch.version}"${watch.attributes}></script>`),
    }).catch(async (error: unknown) => {
      socket.destroy();
      if (error instanceof Misnamed) return askAgain(request, response);
      if (!response.headersSent && (await speech.mistaken(target, port)))
        return askAgain(request, response);
      answerWaiting(request, response, 502, isHeadTooLong(error) ? "long-head" : "broke-off");
    });
  }

  /** How a request to a port and its response are rewritten. */
  function reach(
    { headers }: IncomingMessage,
    target: PreviewTarget,
    port: number,
    look: LookOrigin | undefined,
  ): Rewriting {
    const { host = "", origin } = headers;
    const first = target.ports()[0] ?? port;
    const neighbour =
      neighbourOf({ host, origin }, port, first) ??
      // Development servers reject unknown host names, but accept those below localhost.
      (speech.isLocal(target, port) || !isPreviewHost(host)
        ? localhostOf({ host, origin }, port)
        : undefined);
    return {
      token,
      admission: admission(host),
      location: (to) => previewLocation(to, { own: ownOrigin(host), port }),
      neighbour,
      look,
    };
  }

  async function answerUpgrade(
    request: IncomingMessage,
    client: Duplex,
    head: Buffer,
    look: LookOrigin | undefined,
  ) {
    const asked = readRequestTarget(request.url);
    if (!asked || admitUpgrade(request) !== undefined) return refuseUpgrade(client, 400);
    const found = await find(request.headers.host);
    if (!found || isOwnPath(asked.text)) return refuseUpgrade(client, 404);
    const leave = sockets.take(found.target.project, "");
    if (!leave) return refuseUpgrade(client, 503);
    if (client.destroyed) leave();
    client.once("close", leave);
    await awake(found.target, WAKE_MS.other);
    const port = choosePort(found.target, found.named);
    const socket =
      port === undefined
        ? undefined
        : await speech.connect(found.target, port).catch(() => undefined);
    if (!socket || port === undefined) return refuseUpgrade(client, 503);
    socket.on("error", () => socket.destroy());
    if (client.destroyed) return void socket.destroy();
    const { onWrite } = found.target;
    const rewriting = reach(request, found.target, port, look);
    proxyUpgrade(request, client, head, {
      socket,
      target: asked,
      headers: upstreamHeaders(request, rewriting),
      answerHeaders: (answer) => browserHeaders(answer, request.headers.host ?? "", rewriting),
      heard: onWrite && hearMessages(request.headers.upgrade, onWrite),
    });
  }

  return {
    handles: isPreviewHost,
    async connect(host, port) {
      const found = await find(host);
      if (!found) return undefined;
      await awake(found.target, WAKE_MS.other);
      const listening = choosePort(found.target, { ...found.named, port });
      return listening === undefined ? undefined : found.target.connect(listening);
    },
    originOf: (capability, port) => previewOrigin(appOrigin(), capability, port),
    handle(request, response, look) {
      response.on("error", () => response.destroy());
      const asked = readRequestTarget(request.url);
      if (!asked) return refuseRequest(response);
      answer(request, response, asked, look).catch(() =>
        answerWaiting(request, response, 502, "broke-off"),
      );
    },
    upgrade(request, socket, head, look) {
      socket.on("error", () => socket.destroy());
      answerUpgrade(request, socket, head, look).catch(() => refuseUpgrade(socket, 502));
    },
  };
}

/** Origin of a preview, by its Host: people on other machines reach it with https. */
const ownOrigin = (host: string): string =>
  `${isPreviewHost(host) ? "http" : "https"}://${host.toLowerCase()}`;

/** Makes the client repeat its request, because the port's protocol is known now. */
function askAgain(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(307, { location: request.url ?? "/", "cache-control": "no-store" }).end();
}
