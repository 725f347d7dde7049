import { request as requestHttp, type IncomingHttpHeaders } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { reachGit } from "@treadle/git";
import { nextStep, oddAnswer } from "./failure-of-host.ts";
import type { Sending } from "./target.ts";

/** Maximum size of an answer's body, in bytes. */
const ANSWER_BYTES = 4 * 1024 * 1024;
/** Time limit without any data, in milliseconds. */
const SILENT_MS = 60_000;
/**
 * Attempts of a repeatable request, and the pause before the second, in milliseconds; it doubles
 * each time.
 */
const TRIES = 4;
const PAUSE_MS = 1_000;
/**
 * Maximum number of consecutive pauses at a host's request, and the maximum length of each, in
 * milliseconds.
 */
const PAUSES = 10;
const LONGEST_PAUSE_MS = 120_000;
/** Maximum total of all pauses, in milliseconds. */
const ALL_PAUSES_MS = 60 * 60_000;

export interface HostRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON, bytes as they are. */
  body?: object | Uint8Array;
  /** Whether the request may be repeated. By default only a GET, PUT or DELETE may. */
  again?: boolean;
  /** From this request on the release may be live, whatever the answer is. */
  shows?: boolean;
}

export interface HostAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if it was not JSON. */
  body: unknown;
  /** Whether the release may be live because of this or an earlier request. */
  mayStand?: boolean;
}

/**
 * Sends a request to one host.
 * @throws ApiFailure if there is no answer; an answer with any status is returned
 */
export type AskHost = (request: HostRequest) => Promise<HostAnswer>;

/**
 * Sends requests to a host's API at its public address, without following redirects, which would
 * carry the token along (A39). Interrupted requests and server errors are retried where that is
 * safe, and requested pauses are made.
 * @param name the host's display name
 */
export function askHost(
  name: string,
  own: string,
  headers: Record<string, string>,
  { origin, signal, clock, onSaid }: Pick<Sending, "origin" | "signal" | "clock" | "onSaid">,
): AskHost {
  const { url: base, local } = origin(own);
  let pauses = 0;
  let paused = 0;
  let mayStand = false;
  return async function ask(request) {
    mayStand ||= request.shows === true;
    const isSafe = request.again ?? /^(?:GET|PUT|DELETE)$/.test(request.method);
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const answer = await askOnce(new URL(base + request.path), {
        ...request,
        name,
        local,
        signal,
        headers: { ...headers, ...request.headers },
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof Cut && isSafe && attempt < TRIES) return undefined;
        throw error instanceof Cut ? cut(name, error.message, mayStand) : error;
      });
      if (answer && isBusy(answer)) {
        const ms = pauseOf(answer.headers, clock.now());
        paused += ms;
        if (++pauses > PAUSES || ms > LONGEST_PAUSE_MS || paused > ALL_PAUSES_MS)
          throw new ApiFailure(
            429,
            "host-busy",
            sentence("host-busy", {
              name,
              minutes: Math.ceil(ms / 60_000),
              next: nextStep(mayStand),
            }),
          );
        onSaid(sentence("host-asks-to-wait", { name, seconds: Math.ceil(ms / 1000) }));
        await clock.sleep(ms, signal);
        continue;
      }
      const isLast = !isSafe || attempt >= TRIES;
      // A 500 carries the host's own reason, so the last one is returned. A proxy's error has none.
      if (answer && !isGone(answer) && (answer.status !== 500 || isLast)) {
        pauses = 0;
        return { ...answer, mayStand };
      }
      if (isLast) throw cut(name, `it answered ${answer?.status ?? "nothing"}`, mayStand);
      await clock.sleep(PAUSE_MS * 2 ** (attempt - 1), signal);
    }
  };
}

/** The server was unreachable or too slow; proxies report that with 520 and above. */
const isGone = ({ status }: HostAnswer) =>
  status === 408 || (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/** GitHub also uses 403 for a token that exceeded a rate limit. */
const isBusy = ({ status, headers }: HostAnswer) =>
  status === 429 ||
  (status === 403 &&
    (headers["x-ratelimit-remaining"] === "0" || headers["retry-after"] !== undefined));

class Cut extends Error {}

const cut = (name: string, why: string, mayStand: boolean) =>
  new ApiFailure(502, "host-cut", sentence("host-cut", { name, why, next: nextStep(mayStand) }));

/**
 * The pause that a host requests, in milliseconds: seconds or a date, as HTTP specifies, or a Unix time in seconds, as
 * some hosts send. 5 seconds if it names none.
 */
function pauseOf(headers: IncomingHttpHeaders, now: number): number {
  const after = headers["retry-after"];
  if (after !== undefined) {
    const seconds = Number(after);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now;
    return Number.isFinite(ms) ? Math.max(ms, 0) : PAUSE_MS;
  }
  const reset = Number(headers["x-ratelimit-reset"]);
  return Number.isFinite(reset) && reset > 0 ? Math.max(reset * 1000 - now, PAUSE_MS) : 5_000;
}

async function askOnce(
  url: URL,
  asked: Omit<HostRequest, "path"> & { name: string; local: boolean; signal: AbortSignal },
): Promise<HostAnswer> {
  const { method, signal, local } = asked;
  const host = url.hostname;
  const kind = url.protocol === "http:" ? "http" : "https";
  const address = await reachHost(host, kind, local);
  const family = address.includes(":") ? 6 : 4;
  const lookup: LookupFunction = (_host, { all }, answer) =>
    all ? answer(null, [{ address, family }]) : answer(null, address, family);
  const isBytes = asked.body instanceof Uint8Array;
  const body =
    asked.body === undefined || isBytes ? asked.body : Buffer.from(JSON.stringify(asked.body));
  const headers = {
    accept: "application/json",
    "user-agent": "Treadle",
    ...(body && !isBytes ? { "content-type": "application/json" } : {}),
    ...(body ? { "content-length": String((body as Uint8Array).byteLength) } : {}),
    ...asked.headers,
  };
  const ask = kind === "http" ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    const request = ask(url, { method, lookup, signal, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
        pieces.push(piece);
        if (bytes > ANSWER_BYTES) request.destroy(new Error("its answer is too long"));
      });
      response.on("error", (error) => reject(new Cut(error.message)));
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        if (status >= 300 && status < 400)
          return reject(
            new ApiFailure(502, "host-odd", sentence("host-redirects", { name: asked.name })),
          );
        const { headers } = response;
        // An HTML page comes from something in between, such as a captive portal, not from the API.
        if (status < 300 && /^text\/html\b/i.test(headers["content-type"] ?? ""))
          return reject(oddAnswer(asked.name));
        resolve({ status, headers, body: json(Buffer.concat(pieces).toString()) });
      });
    });
    request.setTimeout(SILENT_MS, () => request.destroy(new Error("it said nothing for 60 s")));
    request.on("error", (error) => reject(new Cut(error.message)));
    request.end(body);
  });
}

/** Connects as to a git server, with error messages that fit an app host. */
async function reachHost(host: string, kind: "https" | "http", local: boolean): Promise<string> {
  try {
    return await reachGit({ host, kind, port: 0, url: "", name: "" }, local);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.code === "git-refused")
      throw new ApiFailure(error.status, "refused", sentence("app-host-refused", { host }));
    throw new ApiFailure(error.status, error.code.replace(/^git-/, ""), error.sentence);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
