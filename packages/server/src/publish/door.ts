import {
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { isIP } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { createShares, OPEN_AT_ONCE } from "../gateway/connection-shares.ts";
import { endToEndHeaders, type HeaderLists } from "../gateway/hop-headers.ts";
import { foreignCookies, isOwnCookie } from "../gateway/own-cookies.ts";
import { proxyUpgrade, refuseUpgrade } from "../gateway/proxy-upgrade.ts";
import { requestPath } from "../gateway/request-path.ts";
import type { Rewriting } from "../gateway/types.ts";
import { isPageRequest, pageTag } from "../visitors/page-tag.ts";
import { putIntoPage } from "../visitors/put-into-page.ts";
import type { VisitReport } from "../visitors/read-visit-report.ts";
import { createVisitInlet, isVisitPath } from "../visitors/visit-inlet.ts";
import type { Answers } from "./answering.ts";
import type { ReleasedApp } from "./released-app.ts";

/** What the door knows of a published project. */
export interface Published {
  project: string;
  answers: Answers;
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

/** The way in to published apps: each has a host of its own. */
export interface Door {
  /** Whether a Host header names a published app. */
  handles(host: string | undefined): boolean;
  /** Answers a request whose Host it handles. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The same for an upgrade (WebSocket). */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** But for the script that tells errors, nothing of a published page is changed; these would reach beyond its host, or speak for our connection. */
const STRIPPED = ["set-cookie2", "alt-svc", "service-worker-allowed"];

const NO_APP = "This app could not be started. Who published it sees why in Treadle.";

/** @param token Treadle's own: an app never sees it */
export function createDoor(
  find: (host: string | undefined) => Published | undefined,
  token: string,
): Door {
  const [requests, sockets] = [
    createShares(OPEN_AT_ONCE.requests),
    createShares(OPEN_AT_ONCE.sockets),
  ];
  const inlet = createVisitInlet();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const published = find(request.headers.host)!;
    const leaveShare = requests(published.project);
    if (!leaveShare) return say(response, 503, "Too many requests at once. Try again in a moment.");
    let entered: Awaited<ReturnType<Answers["enter"]>>;
    let leaveApp: (() => void) | undefined;
    response.once("close", () => {
      leaveShare();
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
    const { app, release } = answering;
    leaveApp = await app.use().catch((error: Error) => {
      published.onError(release, error.message);
      return undefined;
    });
    if (!leaveApp) return say(response, 503, NO_APP);
    if (response.destroyed) return leaveApp();
    const put = visits && isPageRequest(request.method, request.headers) ? pageOf : undefined;
    function pageOf(answered: IncomingMessage): string | undefined {
      const page = pageTag(answered.statusCode ?? 0, answered.headers, release);
      if (page === "refused") visits?.onRefused();
      return typeof page === "object" ? page.tag : undefined;
    }
    const status = await forward(request, response, app, { token, tagOf: put }).catch(
      (error: Error) => {
        published.onError(release, `${request.method} ${shown(request)}: ${error.message}`);
        say(response, 502, "The app broke off its answer.");
        return 0;
      },
    );
    if (status >= 500)
      published.onError(release, `${request.method} ${shown(request)} was answered ${status}.`);
  }

  async function answerUpgrade(request: IncomingMessage, client: Duplex, head: Buffer) {
    const published = find(request.headers.host)!;
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
    handles: (host) => find(host) !== undefined,
    handle(request, response) {
      response.on("error", () => response.destroy());
      answer(request, response).catch(() => say(response, 502, "The app broke off its answer."));
    },
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      answerUpgrade(request, socket, head).catch(() => refuseUpgrade(socket, 502));
    },
  };
}

/** Without what may stand behind it: keys and names of people. */
const shown = (request: IncomingMessage) =>
  requestPath(request.url).split("?", 1)[0]!.slice(0, 200);

/** May be asked for twice, and without a body nothing of it is gone when it has to be. */
const isRepeatable = ({ method, headers }: IncomingMessage) =>
  (method === "GET" || method === "HEAD") &&
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"] ?? 0) === 0;

/**
 * Hands one request to the app and streams its answer back, as it is but for what belongs to a connection or to Treadle.
 * @returns the answer's status. Rejects only while nothing was answered.
 */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  app: Pick<ReleasedApp, "agent" | "connect" | "state">,
  {
    token,
    tagOf,
  }: {
    token: string;
    /** What goes first into the page that is answered; absent: it is asked for by no page. */
    tagOf: ((answer: IncomingMessage) => string | undefined) | undefined;
  },
): Promise<number> {
  const headers = appHeaders(request, token);
  const options = {
    method: request.method,
    path: requestPath(request.url),
    // An agent takes no list for this one.
    headers: { ...headers, host: headers.host?.[0] },
    setHost: false,
  };
  const alone = async () => {
    const socket = await app.connect();
    socket.on("error", () => socket.destroy());
    return ask({ ...options, createConnection: () => socket });
  };
  const first = isRepeatable(request) ? ask({ ...options, agent: app.agent }) : await alone();
  const answer = await answerOf(first, request, response).catch(async (error: unknown) => {
    // The app closed the connection that was used again, and has not seen the request; or the request has ended the app,
    // and is not to do that twice.
    if (!first.reusedSocket || response.destroyed || app.state() !== "up") throw error;
    const again = await alone().catch(() => Promise.reject(error));
    return answerOf(again, request, response);
  });
  const { statusCode = 502 } = answer;
  const headersBack = browserHeaders(answer, request);
  const tag = tagOf?.(answer);
  if (tag !== undefined) {
    delete headersBack["content-length"];
    headersBack.vary = [...(headersBack.vary ?? []), "sec-fetch-dest"];
  }
  response.writeHead(statusCode, answer.statusMessage, headersBack);
  // A stream's reader waits for its head; where the length is known, head and body go out as one.
  if (tag !== undefined || answer.headers["content-length"] === undefined) response.flushHeaders();
  const { "content-encoding": encoding } = answer.headers;
  await handOver(
    answer,
    response,
    tag === undefined ? answer : putIntoPage(answer, encoding?.toLowerCase(), tag),
  );
  return statusCode;
}

/** As `pipeline` does, which makes an AbortError of each request that goes well: 8% of what the door takes. */
function handOver(
  answer: IncomingMessage,
  response: ServerResponse,
  body: Readable,
): Promise<void> {
  body.pipe(response);
  // Of a page that is changed on its way; the answer's own are looked at below.
  if (body !== answer) body.once("error", () => response.destroy());
  return new Promise((resolve) => {
    response.once("close", () => {
      answer.destroy();
      resolve();
    });
    answer.once("close", () => {
      if (!answer.complete) response.destroy();
    });
    answer.once("error", () => response.destroy());
  });
}

/** What is answered to a request that is sent with the body that came. */
async function answerOf(
  upstream: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<IncomingMessage> {
  const gone = () => upstream.destroy();
  response.once("close", gone);
  request.once("error", gone);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.on("response", resolve);
    upstream.on("error", reject);
    upstream.on("upgrade", (_, taken) => {
      taken.destroy();
      reject(new Error("an upgrade that nobody asked for"));
    });
  });
  if (isRepeatable(request)) upstream.end();
  else request.pipe(upstream);
  return answered;
}

function appHeaders(request: IncomingMessage, token: string): HeaderLists {
  const headers = endToEndHeaders(request);
  const cookies = foreignCookies(headers.cookie ?? []);
  if (cookies.length > 0) headers.cookie = [cookies.join("; ")];
  else delete headers.cookie;
  for (const [name, values] of Object.entries(headers))
    if (values.some((value) => value.includes(token))) delete headers[name];
  headers["x-forwarded-for"] = [forwardedFor(request) ?? request.socket.remoteAddress ?? ""];
  headers["x-forwarded-proto"] = [isForwarded(request) ? "https" : "http"];
  headers["x-forwarded-host"] = [request.headers.host ?? ""];
  delete headers.forwarded;
  if (request.headers["transfer-encoding"] !== undefined)
    headers["transfer-encoding"] = ["chunked"];
  return headers;
}

/**
 * Only programs of this machine reach the server, and those that ask for a public name are the web server in front of it.
 * It has said itself whom it speaks for; what stands further left is what anybody may have written.
 */
const isForwarded = ({ headers }: IncomingMessage) =>
  headers["x-forwarded-proto"] === "https" && !/\.localhost(?::\d+)?$/i.test(headers.host ?? "");

function forwardedFor(request: IncomingMessage): string | undefined {
  const said = request.headers["x-forwarded-for"];
  const last = (Array.isArray(said) ? said.join(",") : said)?.split(",").at(-1)?.trim();
  return isForwarded(request) && last !== undefined && isIP(last) !== 0 ? last : undefined;
}

function browserHeaders(answer: IncomingMessage, request: IncomingMessage): HeaderLists {
  const headers = endToEndHeaders(answer);
  for (const name of STRIPPED) delete headers[name];
  const cookies = (headers["set-cookie"] ?? []).filter((line) =>
    isForOwnHost(line, request.headers.host ?? ""),
  );
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  else delete headers["set-cookie"];
  return headers;
}

/** A cookie for a wider domain would reach other apps; one of Treadle's names could be taken for Treadle's. */
function isForOwnHost(line: string, host: string): boolean {
  const [pair = "", ...attributes] = line.split(";");
  if (isOwnCookie(pair)) return false;
  const domain = attributes
    .map((attribute) => /^\s*domain\s*=\s*\.?([^\s]*)/i.exec(attribute)?.[1])
    .findLast((one) => one !== undefined);
  return (
    domain === undefined ||
    domain === "" ||
    domain.toLowerCase() === host.replace(/:\d+$/, "").toLowerCase()
  );
}

function say(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(text);
}
