import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { text as wholeText } from "node:stream/consumers";
import type { Signer } from "@treadle/store";
import {
  admitUpgrade,
  readRequestTarget,
  refuseRequest,
  type RequestTarget,
  type TrustedProxies,
  visitorOf,
} from "@treadle/common";
import { createReportRate, refuseUpgrade } from "@treadle/gateway";
import { isOwnPath } from "@treadle/probe";
import { isFromElsewhere } from "./from-elsewhere.ts";
import { createGuestPasses } from "./guest-pass.ts";
import type { StoredShare } from "./stored-share.ts";
import { answerLocked, answerNotice } from "./notice-page.ts";
import { isPassword } from "./password.ts";
import { OPEN_PATH } from "./paths.ts";
import { readShareHost } from "./share-host.ts";
import type { Shares } from "./shares.ts";

/** Password attempts per link, whoever makes them: ten at once, then one a minute. */
const TRIES = { burst: 10, perSecond: 1 / 60 };
/** Maximum size of the password form, in bytes. */
const FORM_BYTES = 4_096;
/** The maximum delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Serves the content of an opened link. */
export interface Way {
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    share: StoredShare,
  ): void | Promise<void>;
  upgrade?(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    share: StoredShare,
  ): void | Promise<void>;
}

/**
 * The entrance for guests: each link has its own host, which only responds to browsers that have
 * opened it.
 */
export interface ShareDoor {
  /** Whether a Host header has the form of a link's host, known or not. */
  handles(host: string | undefined): boolean;
  /** Answers a request to a host that it handles. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export function createShareDoor(parts: {
  shares: Pick<Shares, "find" | "opens" | "onUse" | "onGone">;
  ways: Record<StoredShare["kind"], Way>;
  /** Whether the project exists and is not deleted. */
  isThere(project: string): Promise<boolean>;
  signer: Pick<Signer, "sign" | "isSigned">;
  appsDomain: string | undefined;
  /** Web servers in front, which state whether they received https. */
  proxies: TrustedProxies;
  now(): number;
}): ShareDoor {
  const { shares, ways, now } = parts;
  const passes = createGuestPasses(parts.signer, now);
  const tries = createReportRate(TRIES);
  const open = new Map<string, Set<{ destroy(): void }>>();
  shares.onGone((id) => {
    for (const one of open.get(id) ?? []) one.destroy();
    open.delete(id);
  });

  /** Registers a connection, which is closed when its link ends. */
  function track({ id, until }: StoredShare, one: ServerResponse | Duplex): void {
    const connections = open.get(id) ?? new Set();
    open.set(id, connections.add(one));
    const timer =
      until === undefined
        ? undefined
        : setTimeout(() => one.destroy(), Math.min(until - now(), LONGEST_MS)).unref();
    one.once("close", () => {
      clearTimeout(timer);
      connections.delete(one);
      if (connections.size === 0 && open.get(id) === connections) open.delete(id);
    });
  }

  const idOf = ({ headers }: IncomingMessage) =>
    readShareHost(headers.host, parts.appsDomain) ?? "";

  async function find(id: string): Promise<StoredShare | undefined> {
    const share = shares.find(id);
    // The link may be revoked meanwhile.
    return share && (await parts.isThere(share.project)) ? shares.find(id) : undefined;
  }

  /**
   * The link that the browser has opened; undefined if it has none, or if another page sent the
   * request.
   */
  async function admitted(request: IncomingMessage): Promise<StoredShare | undefined> {
    const share = await find(idOf(request));
    const holds = share && !isFromElsewhere(request) && passes.holds(share, request.headers.cookie);
    return holds ? share : undefined;
  }

  async function enter(request: IncomingMessage, response: ServerResponse, word: string) {
    const id = idOf(request);
    const share = await find(id);
    if (!shares.opens(id, word) || !share) return answerNotice(request, response, "gone");
    if (share.password) {
      if (request.method !== "POST" || isForeignForm(request))
        return answerLocked(request, response);
      if (!tries.take(id)) {
        response.setHeader("retry-after", tries.secondsToWait(id));
        return answerLocked(request, response, "often");
      }
      if (!(await isPassword(await passwordIn(request), share.password)))
        return answerLocked(request, response, "wrong");
      // The link was revoked meanwhile.
      if (shares.find(id) !== share) return answerNotice(request, response, "gone");
    }
    if (request.method === "GET" || request.method === "POST") shares.onUse(share);
    request.resume();
    response
      .writeHead(303, {
        location: "/",
        "set-cookie": passes.give(share, visitorOf(request, parts.proxies).protocol === "https"),
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
      })
      .end();
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { path }: RequestTarget,
  ): Promise<void> {
    if (path.startsWith(OPEN_PATH)) return enter(request, response, path.slice(OPEN_PATH.length));
    const share = await admitted(request);
    if (!share) return answerNotice(request, response, "gone");
    // A proxied document already has Node's maximum of listeners, and this adds one.
    response.setMaxListeners(20);
    track(share, response);
    response.setHeader("x-robots-tag", "noindex, nofollow");
    response.setHeader("referrer-policy", "same-origin");
    if (isOwnPath(path) && share.kind !== "conversation")
      return answerNotice(request, response, "gone");
    await ways[share.kind].handle(request, response, share);
  }

  async function answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const target = readRequestTarget(request.url);
    if (!target || admitUpgrade(request) !== undefined) return refuseUpgrade(socket, 400);
    const share = await admitted(request);
    const way = share && ways[share.kind];
    if (!share || !way?.upgrade || isOwnPath(target.path)) return refuseUpgrade(socket, 404);
    track(share, socket);
    await way.upgrade(request, socket, head, share);
  }

  return {
    handles: (host) => readShareHost(host, parts.appsDomain) !== undefined,
    handle(request, response) {
      response.on("error", () => response.destroy());
      request.on("error", () => response.destroy());
      const target = readRequestTarget(request.url);
      if (!target) return refuseRequest(response);
      answer(request, response, target).catch(() => answerNotice(request, response, "broken"));
    },
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      answerUpgrade(request, socket, head).catch(() => refuseUpgrade(socket, 502));
    },
  };
}

const isForeignForm = ({ headers }: IncomingMessage) =>
  headers.origin !== undefined && URL.parse(headers.origin)?.host !== headers.host?.toLowerCase();

/** The password typed into the form; empty if the body is not a form or too long. */
async function passwordIn(request: IncomingMessage): Promise<string> {
  if (!(Number(request.headers["content-length"] ?? Infinity) <= FORM_BYTES)) return "";
  return new URLSearchParams(await wholeText(request)).get("password") ?? "";
}
