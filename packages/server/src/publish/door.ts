import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { HEAD_TOO_LONG, isHeadTooLong } from "@treadle/workspace";
import { createShares, OPEN_AT_ONCE } from "../gateway/connection-shares.ts";
import { proxyUpgrade, refuseUpgrade } from "../gateway/proxy-upgrade.ts";
import { requestPath } from "../gateway/request-path.ts";
import type { Rewriting } from "../gateway/types.ts";
import { isPageRequest, pageTag } from "../visitors/page-tag.ts";
import type { VisitReport } from "../visitors/read-visit-report.ts";
import { createVisitInlet, isVisitPath } from "../visitors/visit-inlet.ts";
import type { Answers } from "./answering.ts";
import { createAnswerWatch } from "./answer-watch.ts";
import type { AnswerHead } from "./answer-reader.ts";
import { valueOf, valuesOf } from "./app-headers.ts";
import { askApp } from "./ask-app.ts";

/** What the door knows of a published project. */
export interface Published {
  project: string;
  answers: Answers;
  /** It was asked for at a port: what holds for its host holds for others at that host, which know no ports. */
  sharesHost?: boolean;
  /** Somebody asked. */
  onRequest(): void;
  /** It was not answered as it should have been. */
  onError(release: number, text: string): void;
  /** What visitors' browsers tell; absent where that is switched off. */
  visits?: {
    onReport(report: VisitReport): void;
    /** A page of the app has a policy that lets it tell nothing. */
    onRefused(): void;
  };
}

/** The way in to published apps, whichever way it was found which of them is asked. */
export interface Door {
  /** Answers a request for a published app. Never throws. */
  handle(published: Published, request: IncomingMessage, response: ServerResponse): void;
  /** The same for an upgrade (WebSocket). */
  upgrade(published: Published, request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Requests of one app that go on or wait, so that it leaves connections to others. Those that came while one release takes
 * over from another wait for it, 50 a second for ten seconds and as long again as its data takes to move.
 */
const REQUESTS_AT_ONCE = 1_024;
/**
 * Requests and sockets of all that is published: whoever asks without end, or reads without end what was answered, takes no
 * connection from the workbench and its previews.
 */
export const PUBLISHED_AT_ONCE = 1_152;
/** Answers that have no end of their own: whoever reads them asks again where they break off. */
const ENDLESS = /^text\/event-stream\b/i;

const TOO_MANY = "Too many requests at once. Try again in a moment.";
const BROKEN_OFF = "The app broke off its answer.";
const NO_APP = "This app could not be started. Whoever published it can see why in Treadle.";

/** What is open of everything that is published, whichever door it came through. */
export type PublishedShare = () => (() => void) | undefined;

export function createPublishedShare(most = PUBLISHED_AT_ONCE): PublishedShare {
  const all = createShares(most);
  return () => all("");
}

/**
 * @param token Treadle's own: an app never sees it
 * @param ofAll absent where nobody else comes in
 */
export function createDoor(
  token: string,
  ofAll: PublishedShare = () => () => undefined,
  watch = createAnswerWatch(),
): Door {
  const requests = shareWithAll(createShares(REQUESTS_AT_ONCE), ofAll);
  const sockets = shareWithAll(createShares(OPEN_AT_ONCE.sockets), ofAll);
  const inlet = createVisitInlet();

  async function answer(
    published: Published,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const leaveShare = requests(published.project);
    if (!leaveShare) return say(response, 503, TOO_MANY);
    let entered: Awaited<ReturnType<Answers["enter"]>>;
    let leaveApp: (() => void) | undefined;
    let leaveTurn: (() => void) | undefined;
    response.once("close", () => {
      leaveShare();
      leaveTurn?.();
      leaveApp?.();
      entered?.leave();
    });
    entered = await published.answers.enter();
    if (!entered) return say(response, 404, "Nothing is published here now.");
    const { answering } = entered;
    if (response.destroyed) return entered.leave();
    const { visits } = published;
    if (visits && isVisitPath(request.url ?? ""))
      return inlet.answer(request, response, published.project, visits.onReport);
    published.onRequest();
    if (answering.kind === "site") return answering.answer(request, response);
    const { app, release, entry } = answering;
    if (entry !== undefined && request.url === "/" && request.method === "GET")
      return void response.writeHead(302, { location: entry, "cache-control": "no-store" }).end();
    leaveApp = await app.use().catch((error: Error) => {
      published.onError(release, error.message);
      return undefined;
    });
    if (!leaveApp) return say(response, 503, NO_APP);
    if (response.destroyed) return leaveApp();
    leaveTurn = await app.connections.turn().catch(() => undefined);
    if (!leaveTurn) return say(response, 503, TOO_MANY);
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
      tagOf: put,
      // As with a socket, who waits until a release is not used any more does not wait for it.
      onHead: ({ lines }) => {
        isAnswered();
        if (ENDLESS.test(valueOf(lines, "content-type") ?? "")) entered.leave();
      },
      sharesHost: published.sharesHost ?? false,
    }).catch((error: Error) => {
      isAnswered();
      // Who left has broken off itself.
      if (response.destroyed) return 0;
      const isTooLong = isHeadTooLong(error);
      const why = isTooLong ? HEAD_TOO_LONG : error.message;
      published.onError(release, `${request.method} ${shown(request)}: ${why}`);
      say(response, 502, isTooLong ? HEAD_TOO_LONG : BROKEN_OFF);
      return 0;
    });
    if (status >= 500)
      published.onError(release, `${request.method} ${shown(request)} was answered ${status}.`);
  }

  async function answerUpgrade(
    published: Published,
    request: IncomingMessage,
    client: Duplex,
    head: Buffer,
  ): Promise<void> {
    const leaveShare = sockets(published.project);
    if (!leaveShare) return refuseUpgrade(client, 503);
    client.once("close", leaveShare);
    const entered = await published.answers.enter();
    if (!entered) return refuseUpgrade(client, 404);
    const { answering, leave } = entered;
    // A socket stays open for hours: who waits until a release is not used any more does not wait for it.
    leave();
    if (answering.kind === "site") return refuseUpgrade(client, 404);
    const { app } = answering;
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
    const reach: Rewriting = {
      token,
      admission: { own: "", hashes: [], embedders: [] },
      location: () => undefined,
    };
    proxyUpgrade(request, client, head, { ...reach, socket });
  }

  return {
    handle(published, request, response) {
      response.on("error", () => response.destroy());
      // `OPTIONS *` asks a server, and which app is meant to answer for all of it?
      if (request.url === "*") return say(response, 400, "Ask for a path of this app.");
      answer(published, request, response).catch(() => say(response, 502, BROKEN_OFF));
    },
    upgrade(published, request, socket, head) {
      socket.on("error", () => socket.destroy());
      answerUpgrade(published, request, socket, head).catch(() => refuseUpgrade(socket, 502));
    },
  };
}

/** A share of its own app's and of everybody's, or neither. */
function shareWithAll(own: ReturnType<typeof createShares>, ofAll: PublishedShare) {
  return (project: string): (() => void) | undefined => {
    const leaveOwn = own(project);
    const leaveAll = leaveOwn && ofAll();
    if (!leaveOwn || !leaveAll) return void leaveOwn?.();
    return () => {
      leaveOwn();
      leaveAll();
    };
  };
}

/** Without what may stand behind it: keys and names of people. */
const shown = (request: IncomingMessage) =>
  requestPath(request.url).split("?", 1)[0]!.slice(0, 200);

function say(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(text);
}
