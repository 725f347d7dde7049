import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  admitUpgrade,
  clientOf,
  createSilenceWatch,
  HEAD_TOO_LONG,
  isHeadTooLong,
  NO_PROXIES,
  readRequestTarget,
  readTrustedProxies,
  refuseRequest,
  type RequestTarget,
  type TrustedProxies,
  type Visitor,
  visitorOf,
} from "@treadle/common";
import {
  createPlaces,
  createSocketHolder,
  createSocketPings,
  type Holder,
  PING_MS,
  type Places,
  PREVIEW_PLACES,
  proxyUpgrade,
  refuseUpgrade,
} from "@treadle/gateway";
import { isPageRequest, pageTag } from "../visitors/page-tag.ts";
import type { VisitReport } from "../visitors/read-visit-report.ts";
import { createVisitInlet, isVisitPath } from "../visitors/visit-inlet.ts";
import type { ReleaseSlot } from "./release-slot.ts";
import { createAnswerWatch, type AnswerWatch } from "./answer-watch.ts";
import type { AnswerHead } from "./answer-reader.ts";
import { appHeaders, browserHeaders, linesOf, valueOf, valuesOf } from "./app-headers.ts";
import { askApp } from "./ask-app.ts";

/** A publication to which the door forwards requests. */
export interface DoorPublication {
  project: string;
  slot: ReleaseSlot;
  /**
   * Whether the publication was reached by a port: host-wide headers would affect other apps, as
   * hosts are shared between ports.
   */
  sharesHost?: boolean;
  /** Called for each request. */
  onRequest(): void;
  /** Called if a request was not answered properly. */
  onError(release: number, text: string): void;
  /** Reports from visitors' browsers; absent if they are switched off. */
  visits?: {
    onReport(report: VisitReport): void;
    /** Called if a page has a policy that prevents reports. */
    onRefused(): void;
  };
}

/** The entrance to published apps, however the requested app was determined. */
export interface Door {
  /** Answers a request for a published app. Never throws. */
  handle(publication: DoorPublication, request: IncomingMessage, response: ServerResponse): void;
  /** Connects or refuses an upgrade (WebSocket) to a published app. */
  upgrade(
    publication: DoorPublication,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void;
}

/**
 * Maximum number of active and waiting requests of one app, so that others get connections.
 * Includes those that wait during a switch of releases: 50 a second for ten seconds, and as long
 * again while data is moved.
 */
const REQUESTS_AT_ONCE = 1_024;
/**
 * Maximum number of requests and sockets of all published apps, so that they cannot use up the
 * connections of the workbench and its previews.
 */
export const PUBLISHED_PLACES = 1_152;
/**
 * Milliseconds after which an answer or a socket without data in either direction is closed; web
 * servers in front do it earlier. A WebSocket's client is pinged meanwhile, and stays open while it
 * answers.
 */
const SILENT_MS = 15 * 60_000;
/** Endless answers, whose readers reconnect when they break off. */
const ENDLESS = /^text\/event-stream\b/i;

const TOO_MANY = "Too many requests at once. Try again in a moment.";
const BROKEN_OFF = "The app broke off its answer.";
const NO_APP = "This app could not be started. Whoever published it can see why in Treadle.";

export interface DoorOptions {
  /** Places shared by all published apps, through any door. Absent if there is no other door. */
  published?: Places;
  watch?: AnswerWatch;
  /** Web servers in front, which state the client's address. */
  proxies?: TrustedProxies;
  /** Milliseconds after which a silent answer or socket is closed. */
  silentMs?: number;
  /** Milliseconds after which the client of a silent WebSocket is pinged. */
  pingMs?: number;
}

/** @param token Treadle's own; an app never sees it */
export function createDoor(
  token: string,
  {
    published: all = createPlaces(Number.POSITIVE_INFINITY),
    watch = createAnswerWatch(),
    proxies = readTrustedProxies(undefined),
    silentMs = SILENT_MS,
    pingMs = PING_MS,
  }: DoorOptions = {},
): Door {
  const requests = both(createPlaces(REQUESTS_AT_ONCE), all);
  const sockets = both(createPlaces(PREVIEW_PLACES.sockets), all);
  const inlet = createVisitInlet();
  const silence = createSilenceWatch(silentMs);
  // Anyone can reach a port without the web server in front, so the settings have to name it
  // explicitly.
  const proxiesOf = ({ sharesHost }: DoorPublication) =>
    sharesHost === true && !proxies.areNamed ? NO_PROXIES : proxies;

  async function answer(
    publication: DoorPublication,
    request: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
  ): Promise<void> {
    const visitor = visitorOf(request, proxiesOf(publication));
    const leaveShare = requests(publication.project, visitor);
    if (!leaveShare) return answerText(response, 503, TOO_MANY);
    let entered: Awaited<ReturnType<ReleaseSlot["enter"]>>;
    let leaveApp: (() => void) | undefined;
    let leaveTurn: (() => void) | undefined;
    let unwatch: (() => void) | undefined;
    response.once("close", () => {
      leaveShare();
      unwatch?.();
      leaveTurn?.();
      leaveApp?.();
      entered?.leave();
    });
    entered = await publication.slot.enter();
    if (!entered) return answerText(response, 404, "Nothing is published here now.");
    const { releaseServer } = entered;
    if (response.destroyed) return entered.leave();
    const { visits } = publication;
    if (visits && isVisitPath(target.text))
      return inlet.answer(request, response, publication.project, visits.onReport);
    publication.onRequest();
    if (releaseServer.kind === "site") return releaseServer.answer(request, response);
    const { app, release, entry } = releaseServer;
    if (entry !== undefined && target.text === "/" && request.method === "GET")
      return void response.writeHead(302, { location: entry, "cache-control": "no-store" }).end();
    leaveApp = await app.use().catch((error: Error) => {
      publication.onError(release, error.message);
      return undefined;
    });
    if (!leaveApp) return answerText(response, 503, NO_APP);
    if (response.destroyed) return leaveApp();
    leaveTurn = await app.connections.turn(clientOf(visitor.address)).catch(() => undefined);
    if (!leaveTurn) return answerText(response, 503, TOO_MANY);
    if (response.destroyed) return leaveTurn();
    const put = visits && isPageRequest(request.method, request.headers) ? pageOf : undefined;
    function pageOf({ status, lines }: AnswerHead): string | undefined {
      const page = pageTag(status, valuesOf(lines), release);
      if (page === "refused") visits?.onRefused();
      return typeof page === "object" ? page.tag : undefined;
    }
    const isAnswered = watch.begin(app);
    const status = await askApp(request, response, app, {
      token,
      target,
      visitor,
      tagOf: put,
      // Like a socket, an endless answer does not delay a wait for active requests.
      onHead: ({ lines }) => {
        isAnswered();
        unwatch ??= silence.add(response);
        if (ENDLESS.test(valueOf(lines, "content-type") ?? "")) entered.leave();
      },
      sharesHost: publication.sharesHost ?? false,
    }).catch((error: Error) => {
      isAnswered();
      // The client has closed the connection, which is not an error.
      if (response.destroyed) return 0;
      const isTooLong = isHeadTooLong(error);
      const why = isTooLong ? HEAD_TOO_LONG : error.message;
      publication.onError(release, `${request.method} ${shown(target)}: ${why}`);
      answerText(response, 502, isTooLong ? HEAD_TOO_LONG : BROKEN_OFF);
      return 0;
    });
    if (status >= 500)
      publication.onError(release, `${request.method} ${shown(target)} was answered ${status}.`);
  }

  async function answerUpgrade(
    publication: DoorPublication,
    request: IncomingMessage,
    client: Duplex,
    head: Buffer,
  ): Promise<void> {
    const target = readRequestTarget(request.url);
    if (!target || admitUpgrade(request) !== undefined) return refuseUpgrade(client, 400);
    const visitor = visitorOf(request, proxiesOf(publication));
    const pings = createSocketPings(client, pingMs);
    const holder = createSocketHolder(client, { endMs: silentMs, ownBytes: pings.ownBytes });
    const leaveShare = sockets(publication.project, visitor, holder);
    if (!leaveShare) return refuseUpgrade(client, 503);
    client.once("close", leaveShare);
    const entered = await publication.slot.enter();
    if (!entered) return refuseUpgrade(client, 404);
    const { releaseServer, leave } = entered;
    // A socket stays open for hours, so it does not delay a wait for active requests.
    leave();
    if (releaseServer.kind === "site") return refuseUpgrade(client, 404);
    const { app } = releaseServer;
    const leaveApp = await app.use().catch(() => undefined);
    if (!leaveApp) return refuseUpgrade(client, 503);
    client.once("close", leaveApp);
    const socket = await app.connect().catch(() => undefined);
    if (!socket) return refuseUpgrade(client, 503);
    socket.on("error", () => socket.destroy());
    if (client.destroyed) {
      leaveApp();
      return void socket.destroy();
    }
    const { host = "" } = request.headers;
    const sharesHost = publication.sharesHost ?? false;
    proxyUpgrade(request, client, head, {
      socket,
      target,
      headers: valuesOf(appHeaders(request, token, visitor)),
      answerHeaders: (answer) => valuesOf(browserHeaders(linesOf(answer), { host, sharesHost })),
      onAnswer: holder.agreed,
      pings,
    });
  }

  return {
    handle(publication, request, response) {
      response.on("error", () => response.destroy());
      const target = readRequestTarget(request.url);
      if (!target) return refuseRequest(response);
      request.url = target.text;
      answer(publication, request, response, target).catch(() =>
        answerText(response, 502, BROKEN_OFF),
      );
    },
    upgrade(publication, request, socket, head) {
      socket.on("error", () => socket.destroy());
      answerUpgrade(publication, request, socket, head).catch(() => refuseUpgrade(socket, 502));
    },
  };
}

/** Takes a place of the app and one of all apps, or neither. */
const both =
  (own: Places, all: Places) =>
  (project: string, { address }: Visitor, holder?: Holder): (() => void) | undefined => {
    const client = clientOf(address);
    const leaveOwn = own.take(project, client, holder);
    const leaveAll = leaveOwn && all.take("", client, holder);
    if (!leaveOwn || !leaveAll) return void leaveOwn?.();
    return () => {
      leaveOwn();
      leaveAll();
    };
  };

/** The path of a request for an error's text, without the query, which may contain keys and personal names. */
const shown = ({ path }: RequestTarget) => path.slice(0, 200);

function answerText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(text);
}
