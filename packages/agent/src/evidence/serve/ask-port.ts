import type { CodedText } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { Workspace } from "@treadle/workspace";
import { findBases, findRoutes } from "./find-api-routes.ts";
import { getPage, NoAnswerError, type Ask, type PageResponse } from "./get-page.ts";
import { plainBody } from "./plain-body.ts";
import { isDocument } from "./is-document.ts";

/** Redirects followed, the same number as in browsers. */
const REDIRECTS = 20;
/** A server that has just started, or is restarting itself, is asked again. */
const TRIES = 4;
const AGAIN_MS = 500;
/** Milliseconds without an answer after which the request is sent a second time in parallel: some servers lose a request. */
const BESIDE_MS = 4_000;
/** Milliseconds for an API route to answer. A route that takes longer may be a long poll, so it is not judged. */
const ROUTE_MS = 10_000;

/** How one port of the project's server answers a browser. */
export type PortAnswer = { port: number } & (
  | { kind: "page"; path: string; said: string; answer: PageResponse }
  /** The answer is not a page, so the port belongs to an API. */
  | { kind: "data"; path: string; said: string; answer: PageResponse }
  /** `answered`: set if the status alone shows that the answer is broken, and `said` contains nothing else. */
  | {
      kind: "broken";
      said: string;
      answered?: { path: string; status: number };
      detail: string;
    }
  /** The port is open, but nothing that it sends proves that the app works. */
  | { kind: "open"; said: string; saidCode?: CodedText }
);

export interface AskingPort {
  workspace: Workspace;
  signal: AbortSignal;
  sleep(ms: number): Promise<void>;
  /** The server's output so far. */
  printed(): string;
}

/**
 * Requests one port as a browser would: first its root, following redirects, and if that is no page, the routes that the
 * project's sources declare. Rejects with the signal's reason only.
 */
export async function askPort(port: number, parts: AskingPort): Promise<PortAnswer> {
  try {
    return await judged(port, parts);
  } catch (error) {
    parts.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const { text, coded } = sentence("no-request", { port, why: reason });
    return { port, kind: "open", said: text, saidCode: coded };
  }
}

async function judged(port: number, parts: AskingPort): Promise<PortAnswer> {
  const first = await follow(port, "/", parts);
  if (!("answer" in first)) return first;
  if (first.answer.status !== 404 && isAnswer(first.answer)) return judgeAnswer(port, first);
  // The root has no page, so the server's own output may name the address to open.
  for (const base of await findBases(parts.workspace, port, parts.printed())) {
    const there = await follow(port, base, parts);
    if (!("answer" in there) || !isAnswer(there.answer) || there.answer.status === 404) continue;
    return judgeAnswer(port, there);
  }
  return askRoutes(port, first, parts);
}

interface Landed {
  path: string;
  answer: PageResponse;
}

/** Requests an address and follows its redirects, sending back the cookies that are set on the way. */
async function follow(
  port: number,
  start: string,
  parts: AskingPort,
): Promise<Landed | PortAnswer> {
  let path = start;
  const jar = new Map<string, string>();
  const seen = new Set<string>();
  for (let hop = 0; ; hop++) {
    const answer = await ask(port, path, parts, { cookies: [...jar.values()] });
    for (const cookie of answer.cookies) jar.set(cookie.split("=", 1)[0]!, cookie);
    if (answer.status < 300 || answer.status >= 400 || answer.location === undefined)
      return { path, answer };
    const here = `${path} ${[...jar.values()].join(";")}`;
    if (seen.has(here) || hop >= REDIRECTS) {
      const message = `GET ${start} is redirected without end`;
      return {
        port,
        kind: "broken",
        said: message,
        detail: `${message}: ${path} → ${answer.location}`,
      };
    }
    seen.add(here);
    const next = localPath(answer.location, path, port);
    if (next === undefined)
      return {
        port,
        kind: "open",
        said: `GET ${path} leads out of the app, to ${answer.location}`,
      };
    path = next;
  }
}

/**
 * The first request after a start or a change may reach a server that is not listening yet. A silent server is retried
 * once, and further only while it keeps printing, because that shows progress.
 */
async function ask(
  port: number,
  path: string,
  { workspace, signal, sleep, printed }: AskingPort,
  how: Ask,
): Promise<PageResponse> {
  for (let attempt = 1; ; attempt++) {
    const before = printed().length;
    try {
      const answer = await askBeside((ends) => getPage(workspace, port, path, ends, how), signal);
      const notYet = answer.status >= 502 && answer.status <= 504;
      if (!notYet || attempt >= TRIES) return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= TRIES || workspace.server?.state === "crashed") throw error;
      if (error instanceof NoAnswerError && printed().length === before) throw error;
    }
    await sleep(AGAIN_MS * attempt);
  }
}

/** Sends the request, and a second one if that takes long. The first answer counts. Rejects as the first request does. */
async function askBeside<T>(
  once: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  const ends = AbortSignal.any([signal, controller.signal]);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, BESIDE_MS, undefined);
  });
  const first = once(ends).then((answer) => ({ answer }));
  try {
    const early = await Promise.race([first, late]);
    if (early) return early.answer;
    const second = once(ends).then((answer) => ({ answer }));
    return (await Promise.any([first, second]).catch(() => first)).answer;
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** Whether the answer has any content: a WebSocket port refuses every plain request, and an empty answer shows nothing. */
function isAnswer({ status, contentType, body }: PageResponse): boolean {
  if (status >= 500 || status === 401 || status === 403 || status === 404) return true;
  // An empty HTML document counts: it is a blank page.
  return status < 400 && status !== 204 && (body !== "" || /html/i.test(contentType));
}

function judgeAnswer(port: number, { path, answer }: Landed): PortAnswer {
  const message = `GET ${path} answered ${answer.status}`;
  if (answer.asksWho) return { port, kind: "open", said: `${message}: it asks for a user name` };
  if (answer.status >= 500)
    return {
      port,
      kind: "broken",
      said: message,
      answered: { path, status: answer.status },
      detail: `${message}\n${plainBody(answer)}`,
    };
  const type = answer.contentType.split(";", 1)[0]!.trim().toLowerCase();
  const asPage = type === "text/html" || type === "application/xhtml+xml";
  // Browsers sniff the content of an answer without a content type.
  if (asPage || (type === "" && looksLikeHtml(answer.body)))
    return { port, kind: "page", path, said: message, answer };
  if (isDocument(answer.body)) {
    const shown = `${message} with HTML as ${type}: a browser does not show it as a page`;
    return { port, kind: "broken", said: shown, detail: `${shown}\n${answer.body.slice(0, 500)}` };
  }
  return { port, kind: "data", path, said: message, answer };
}

/** Requests the routes in the sources of an API that has nothing at its root. A page found there is not where people begin. */
async function askRoutes(port: number, root: Landed, parts: AskingPort): Promise<PortAnswer> {
  const atRoot = emptyWords(root);
  for (const route of await findRoutes(parts.workspace)) {
    const answer = await getPage(parts.workspace, port, route, parts.signal, {
      ms: ROUTE_MS,
    }).catch(() => undefined);
    parts.signal.throwIfAborted();
    if (!answer || answer.status === 404 || !isAnswer(answer)) continue;
    if (answer.asksWho || (answer.status >= 300 && answer.status < 400)) continue;
    const judged = judgeAnswer(port, { path: route, answer });
    if (judged.kind === "page")
      return { port, kind: "open", said: `${atRoot}; there is a page at ${route}` };
    return judged;
  }
  return { port, kind: "open", said: `${atRoot}, and so did every address found in the sources` };
}

/**
 * Requests the other addresses for which an API's sources declare a plain GET. @returns the first address that answers
 * with status 500, with the text of its answer; undefined if there is none
 */
export async function brokenRoute(
  port: number,
  known: string,
  { workspace, signal }: AskingPort,
): Promise<{ path: string; detail: string } | undefined> {
  for (const route of await findRoutes(workspace)) {
    if (route === known) continue;
    const answer = await getPage(workspace, port, route, signal, { ms: ROUTE_MS }).catch(
      () => undefined,
    );
    signal.throwIfAborted();
    if (answer?.status !== 500) continue;
    const message = `GET ${route} answered 500`;
    return { path: route, detail: `${message}\n${plainBody(answer)}` };
  }
  return undefined;
}

function emptyWords({ path, answer }: Landed): string {
  const what = answer.status < 400 && answer.body === "" ? " with nothing" : "";
  return `GET ${path} answered ${answer.status}${what}`;
}

const looksLikeHtml = (body: string) =>
  isDocument(body) ||
  /^\s*<(?:head|body|script|style|title|h1|div|p|table|a|br|font|iframe|b)[\s>]/i.test(body);

/** The path and query of a redirect that stays within the app, or undefined. */
function localPath(location: string, from: string, port: number): string | undefined {
  try {
    const url = new URL(location, `http://localhost:${port}${from}`);
    const own = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].includes(url.hostname);
    return own && (url.port || "80") === String(port) ? url.pathname + url.search : undefined;
  } catch {
    return undefined;
  }
}
