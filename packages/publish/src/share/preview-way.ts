import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  admitUpgrade,
  clientOf,
  readRequestTarget,
  refuseRequest,
  type TrustedProxies,
  visitorOf,
} from "@treadle/common";
import {
  awake,
  browserHeaders,
  createPlaces,
  createPortProtocols,
  createReportRate,
  createSocketHolder,
  isDocumentRequest,
  limitPolicy,
  localhostOf,
  LOOPBACK,
  Misnamed,
  PREVIEW_PLACES,
  proxyRequest,
  proxyUpgrade,
  refuseUpgrade,
  upstreamHeaders,
  WAKE_MS,
} from "@treadle/gateway";
import type { PreviewTarget, Rewriting } from "@treadle/gateway";
import { controlFrames } from "./control-frames.ts";
import { isHiddenPath } from "./hidden-path.ts";
import type { StoredShare } from "./stored-share.ts";
import { answerNotice } from "./notice-page.ts";

/**
 * Through a link, a sleeping app may be woken three times, then once a minute, since each time a
 * sandbox is started.
 */
const WAKES = { burst: 3, perSecond: 1 / 60 };

/**
 * Serves the running preview of a project through a link: only the previewed port, and nothing of
 * the workbench.
 */
export interface PreviewWay {
  handle(request: IncomingMessage, response: ServerResponse, share: StoredShare): Promise<void>;
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    share: StoredShare,
  ): Promise<void>;
}

/**
 * @param token Treadle's own; no app sees it
 * @param proxies web servers in front, which state the client's address
 */
export function createPreviewWay(
  targetOf: (project: string) => Promise<PreviewTarget | undefined>,
  token: string,
  proxies: TrustedProxies,
): PreviewWay {
  const speech = createPortProtocols();
  const requests = createPlaces(PREVIEW_PLACES.requests);
  const sockets = createPlaces(PREVIEW_PLACES.sockets);
  const clientIn = (request: IncomingMessage) => clientOf(visitorOf(request, proxies).address);
  const wakes = createReportRate(WAKES);

  /** Whether the app is up or starting, or may be woken once more through this link. */
  function mayHave(target: PreviewTarget, share: StoredShare): boolean {
    if (!target.isAsleep?.() || target.state?.() === "starting") return true;
    return wakes.take(share.id);
  }

  function reach({ headers }: IncomingMessage, target: PreviewTarget, port: number): Rewriting {
    const { host = "", origin } = headers;
    // Development servers reject unknown host names, but accept those below localhost.
    const isKnown = /\.localhost(?::\d+)?$/i.test(host) && !speech.isLocal(target, port);
    return {
      token,
      admission: { own: "", hashes: [], embedders: [] },
      location: (to) => ownLocation(to, port),
      neighbour: isKnown ? undefined : localhostOf({ host, origin }, port),
    };
  }

  return {
    async handle(request, response, share) {
      const asked = readRequestTarget(request.url);
      if (!asked) return refuseRequest(response);
      if (isHiddenPath(asked.path)) return answerNotice(request, response, "hidden");
      const target = await targetOf(share.project);
      if (!target || !mayHave(target, share)) return answerNotice(request, response, "resting");
      const leave = requests.take(share.id, clientIn(request));
      if (!leave) return answerNotice(request, response, "crowded");
      response.once("close", leave);
      await awake(target, isDocumentRequest(request) ? WAKE_MS.page : WAKE_MS.other);
      const [port] = target.ports();
      const socket =
        port === undefined ? undefined : await speech.connect(target, port).catch(() => undefined);
      if (port === undefined || !socket)
        return answerNotice(request, response, target.isAsleep?.() ? "waking" : "resting");
      socket.on("error", () => socket.destroy());
      if (response.destroyed) return void socket.destroy();
      const limit = await target.limit?.();
      await proxyRequest(request, response, {
        ...reach(request, target, port),
        limit: limit && limitPolicy(limit, []),
        socket,
        target: asked,
        tag: () => "",
        onPage() {},
        isMisnamed: () => speech.refusesName(target, port, asked.text),
      }).catch(async (error: unknown) => {
        socket.destroy();
        const again =
          error instanceof Misnamed ||
          (!response.headersSent && (await speech.mistaken(target, port)));
        if (!again) return answerNotice(request, response, "broken");
        request.resume();
        response.writeHead(307, { location: asked.text, "cache-control": "no-store" }).end();
      });
    },
    async upgrade(request, client, head, share) {
      const asked = readRequestTarget(request.url);
      if (!asked || admitUpgrade(request) !== undefined) return refuseUpgrade(client, 400);
      const target = await targetOf(share.project);
      if (!target || isHiddenPath(asked.path) || !mayHave(target, share))
        return refuseUpgrade(client, 503);
      const holder = createSocketHolder(client);
      const leave = sockets.take(share.id, clientIn(request), holder);
      if (!leave) return refuseUpgrade(client, 503);
      if (client.destroyed) leave();
      client.once("close", leave);
      await awake(target, WAKE_MS.other);
      const [port] = target.ports();
      const socket =
        port === undefined ? undefined : await speech.connect(target, port).catch(() => undefined);
      if (port === undefined || !socket) return refuseUpgrade(client, 503);
      socket.on("error", () => socket.destroy());
      if (client.destroyed) return void socket.destroy();
      const heard = isOfDevServer(request) ? controlFrames() : undefined;
      const rewriting = reach(request, target, port);
      proxyUpgrade(request, client, head, {
        socket,
        target: asked,
        headers: upstreamHeaders(request, rewriting),
        answerHeaders: (answer) => browserHeaders(answer, request.headers.host ?? "", rewriting),
        onAnswer: holder.agreed,
        heard,
      });
    },
  };
}

/**
 * Whether a request is for the socket on which Vite announces changes. Some versions in use answer
 * messages on it with the content of any file, so a guest may only listen.
 */
const isOfDevServer = ({ headers }: IncomingMessage) =>
  /\bvite-/i.test(headers["sec-websocket-protocol"] ?? "");

/** The path of a redirect to the app's own `localhost` address, relative to the link's host; undefined for others. */
function ownLocation(to: string, port: number): string | undefined {
  const url = URL.parse(to);
  if (!url || !/^https?:$/.test(url.protocol) || !LOOPBACK.test(url.hostname)) return undefined;
  return Number(url.port) === port ? url.pathname + url.search + url.hash : undefined;
}
