import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { inTime } from "../common/in-time.ts";
import { createProbe, createWatch, type OwnScript } from "../probe/probe.ts";
import type { Admission } from "./content-policy.ts";
import {
  isOwnPath,
  OWN_ROOT,
  PLACES_PATH,
  PROBE_PATH,
  REPORT_PATH,
  STATE_PATH,
  WATCH_PATH,
} from "../probe/own-paths.ts";
import { requestPath } from "./request-path.ts";
import {
  appOrigins,
  isPreviewHost,
  previewOrigin,
  readPreviewHost,
  type PreviewHost,
} from "./preview-host.ts";
import { Misnamed, proxyRequest } from "./proxy-request.ts";
import { proxyUpgrade, refuseUpgrade } from "./proxy-upgrade.ts";
import { limitPolicy } from "./limit-policy.ts";
import { localhostOf, neighbourOf, previewLocation } from "./localhost-names.ts";
import { createPortProtocols } from "./port-protocol.ts";
import { createReportRate } from "./report-rate.ts";
import { createShares, OPEN_AT_ONCE } from "./connection-shares.ts";
import { answerScript } from "./answer-script.ts";
import { createPlacer } from "./place-report.ts";
import { answerJson, takeReport, takeStacks } from "./report-inlet.ts";
import { isDocumentRequest, isFramed } from "./request-headers.ts";
import type { Gateway, GatewayOptions, PreviewTarget, Rewriting } from "./types.ts";
import { waitingPage, waitingText, type Waiting } from "./waiting-page.ts";

/** Reports of one project: a reload with errors is three. */
const REPORTS = { burst: 16, perSecond: 8 };
/** Questions of one project where something stands in its source: a person who points at elements asks one a change. */
const PLACES = { burst: 20, perSecond: 6 };

/** How long an answer may wait for a server that wakes: a page is then told so, and what is no page waits on. */
const WAKE_MS = { page: 1_500, other: 30_000 };

/** The gateway: from a Host to a port inside one project's sandbox, and to nowhere else. */
export function createGateway({ resolve, appOrigin, token }: GatewayOptions): Gateway {
  const rate = createReportRate(REPORTS);
  const placed = createReportRate(PLACES);
  const speech = createPortProtocols();
  const [requests, sockets] = [
    createShares(OPEN_AT_ONCE.requests),
    createShares(OPEN_AT_ONCE.sockets),
  ];
  const place = createPlacer(speech);
  let known:
    | { origin: string; probe: OwnScript; watch: OwnScript; embedders: string[] }
    | undefined;

  /** Made again when Treadle's own address changes: it is not known before it listens. */
  function facts() {
    const origin = appOrigin();
    if (known?.origin !== origin) {
      const origins = appOrigins(origin);
      // An address in brackets is none that a policy can name.
      const embedders = origins.filter((one) => !one.includes("["));
      known = { origin, probe: createProbe(origins), watch: createWatch(origins), embedders };
    }
    return known;
  }

  function admission(host: string): Admission {
    const { probe, watch, embedders } = facts();
    const own = `${new URL(appOrigin()).protocol}//${host}${OWN_ROOT}`;
    return { own, hashes: [probe.hash, watch.hash], embedders };
  }

  async function find(host: string | undefined) {
    const named = readPreviewHost(host);
    const target = named && (await resolve(named.capability));
    return named && target ? { named, target } : undefined;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    looked: boolean,
  ): Promise<void> {
    const path = requestPath(request.url);
    const found = await find(request.headers.host);
    if (!found) return wait(request, response, 404, "unknown");
    const { target, named } = found;
    if (isOwnPath(path)) return answerOwn(path, request, response, target, named);
    const leave = requests(target.project);
    if (!leave) return wait(request, response, 503, "crowded");
    response.once("close", leave);
    await awake(target, isDocumentRequest(request) ? WAKE_MS.page : WAKE_MS.other);
    const port = choosePort(target, named);
    if (port === undefined)
      return wait(request, response, 503, named.port ? "no-port" : waitingFor(target));
    const socket = await speech.connect(target, port).catch(() => undefined);
    if (!socket) return wait(request, response, 503, waitingFor(target));
    socket.on("error", () => socket.destroy());
    if (response.destroyed) return void socket.destroy();
    const { probe, watch } = facts();
    const limit = looked ? undefined : await target.limit?.();
    const origins = () =>
      target.ports().map((one) => previewOrigin(appOrigin(), named.capability, one));
    await proxyRequest(request, response, {
      ...reach(request, target, port),
      limit: limit && limitPolicy(limit, origins()),
      socket,
      isMisnamed: () => speech.refusesName(target, port, path),
      tag:
        `<script src="${PROBE_PATH}?v=${probe.version}" data-port="${port}"${probe.attributes}></script>` +
        (looked || !isFramed(request)
          ? ""
          : `<script src="${WATCH_PATH}?v=${watch.version}"${watch.attributes}></script>`),
    }).catch(async (error: unknown) => {
      socket.destroy();
      if (error instanceof Misnamed) return askAgain(request, response);
      if (!response.headersSent && (await speech.mistaken(target, port)))
        return askAgain(request, response);
      wait(request, response, 502, "broke-off");
    });
  }

  /** What a request to a port and the answer to it are rewritten by. */
  function reach({ headers }: IncomingMessage, target: PreviewTarget, port: number): Rewriting {
    const { host = "", origin } = headers;
    const first = target.ports()[0] ?? port;
    const neighbour =
      neighbourOf({ host, origin }, port, first) ??
      (speech.isLocal(target, port) ? localhostOf({ host, origin }, port) : undefined);
    return {
      token,
      admission: admission(host),
      location: (to) => previewLocation(to, { appOrigin: appOrigin(), host, port }),
      neighbour,
    };
  }

  async function answerOwn(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    target: PreviewTarget,
    named: PreviewHost,
  ): Promise<void> {
    switch (path.split("?", 1)[0]) {
      case PROBE_PATH:
        return answerScript(request, response, facts().probe);
      case WATCH_PATH:
        return answerScript(request, response, facts().watch);
      case PLACES_PATH: {
        const stacks = await takeStacks(request, response, () => placed.take(target.project));
        if (!stacks) return;
        const port = choosePort(target, named);
        const origin = previewOrigin(appOrigin(), named.capability, named.port);
        answerJson(response, { places: await place.stacks(stacks, origin, target, port) });
        return;
      }
      case STATE_PATH: {
        await awake(target, WAKE_MS.other);
        const port = choosePort(target, named);
        const socket =
          port === undefined ? undefined : await target.connect(port).catch(() => undefined);
        socket?.on("error", () => {});
        socket?.destroy();
        response.writeHead(200, {
          "content-type": "application/json",
          "cache-control": "no-store",
        });
        response.end(JSON.stringify({ up: socket !== undefined }));
        return;
      }
      case REPORT_PATH: {
        const taken = await takeReport(request, response, () => rate.take(target.project));
        if (!taken) return;
        const revision = await target.revision?.();
        const port = choosePort(target, named);
        const report = await place.report(
          taken,
          previewOrigin(appOrigin(), named.capability, named.port),
          target,
          port,
        );
        answerJson(response, report);
        target.onReport(revision === undefined ? report : { ...report, revision });
        return;
      }
      default:
        response.writeHead(404, { "cache-control": "no-store" }).end();
    }
  }

  async function answerUpgrade(request: IncomingMessage, client: Duplex, head: Buffer) {
    const found = await find(request.headers.host);
    if (!found || isOwnPath(requestPath(request.url))) return refuseUpgrade(client, 404);
    const leave = sockets(found.target.project);
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
    proxyUpgrade(request, client, head, { ...reach(request, found.target, port), socket });
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
    handle(request, response, looked = false) {
      response.on("error", () => response.destroy());
      answer(request, response, looked).catch(() => wait(request, response, 502, "broke-off"));
    },
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      answerUpgrade(request, socket, head).catch(() => refuseUpgrade(socket, 502));
    },
  };
}

/** The same request once more, now that it is known how the port is spoken to. */
function askAgain(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(307, { location: request.url ?? "/", "cache-control": "no-store" }).end();
}

/** Wakes a server that sleeps, and waits for it at most so long. */
async function awake(target: PreviewTarget, ms: number): Promise<void> {
  if (!target.wake || !target.isAsleep?.()) return;
  await inTime(target.wake(), ms);
}

/** Only what the project's own processes listen on (A16). */
function choosePort(target: PreviewTarget, named: PreviewHost): number | undefined {
  const ports = target.ports();
  return named.port === undefined ? ports[0] : ports.find((port) => port === named.port);
}

function waitingFor(target: PreviewTarget): Waiting {
  if (target.isAsleep?.()) return "waking";
  const state = target.state?.();
  if (state !== undefined && state !== "up") return state;
  return target.ports().length > 0 || state === "up" ? "starting" : "stopped";
}

/** Answers in the app's place, where nothing has been answered yet. */
function wait(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  waiting: Waiting,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  // A body that nobody reads would hold the connection.
  request.resume();
  const common = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (!isDocumentRequest(request)) {
    response.writeHead(status, { ...common, "content-type": "text/plain; charset=utf-8" });
    response.end(waitingText(waiting));
    return;
  }
  const { body, policy } = waitingPage(waiting);
  response.writeHead(status, {
    ...common,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
  });
  response.end(body);
}
