import type { CodedText } from "@treadle/protocol";
import { codeField, sentence } from "@treadle/protocol/sentences";
import type { Workspace } from "@treadle/workspace";
import { findBases, findRoutes } from "./find-api-routes.ts";
import { getPage, NoAnswerError, type Ask, type PageResponse } from "./get-page.ts";
import { plainBody } from "./plain-body.ts";
import { isDocument } from "./is-document.ts";

/** As many as browsers follow. */
const REDIRECTS = 20;
/** A server that has just been started, or restarts itself, is asked again. */
const TRIES = 4;
const AGAIN_MS = 500;
/** Milliseconds after which an address that has not answered is asked for once more beside that: some servers lose a request. */
const BESIDE_MS = 4_000;
/** Milliseconds for an address of an API to answer: one that does not may be meant to be waited for. */
const ROUTE_MS = 10_000;

/** What one port of the project's server says to a browser. */
export type PortAnswer = { port: number } & (
  | { kind: "page"; path: string; said: string; answer: PageResponse }
  /** Something else than a page answered: an API. */
  | { kind: "data"; path: string; said: string; answer: PageResponse }
  /** `answered`: what `said` says, where it is no more than that. */
  | {
      kind: "broken";
      said: string;
      answered?: { path: string; status: number };
      detail: string;
    }
  /** It is open, and nothing that it says proves anything. */
  | { kind: "open"; said: string; saidCode?: CodedText }
);

export interface AskingPort {
  workspace: Workspace;
  signal: AbortSignal;
  sleep(ms: number): Promise<void>;
  /** What the server has printed. */
  printed(): string;
}

/**
 * Asks one port as a browser would: its first page, where that leads, and, where there is none, what the project itself
 * says can be asked for. Rejects with the signal's reason only.
 */
export async function askPort(port: number, parts: AskingPort): Promise<PortAnswer> {
  try {
    return await judged(port, parts);
  } catch (error) {
    parts.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const { text, coded } = sentence("no-request", { port, why: reason });
    return { port, kind: "open", said: text, ...codeField("saidCode", coded) };
  }
}

async function judged(port: number, parts: AskingPort): Promise<PortAnswer> {
  const first = await follow(port, "/", parts);
  if (!("answer" in first)) return first;
  if (first.answer.status !== 404 && isAnswer(first.answer)) return judgeAnswer(port, first);
  // Nothing at its root: where does it say that it begins?
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

/** Asks for an address and goes where it is sent to, with the cookies that it is given on the way. */
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
 * The first request after a start or a change may meet a server that is not there yet. One that says nothing is waited for
 * once, and again only where it has printed something meanwhile: it gets on.
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

/** Asks, and once more where that takes long; the first answer counts. Rejects as the first request does. */
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

/** Whether it says anything: a port for WebSockets refuses every plain request, and an empty answer shows nothing. */
function isAnswer({ status, contentType, body }: PageResponse): boolean {
  if (status >= 500 || status === 401 || status === 403 || status === 404) return true;
  // A page without anything in it is one: a blank one.
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
  // Browsers look into what has no type.
  if (asPage || (type === "" && looksLikeHtml(answer.body)))
    return { port, kind: "page", path, said: message, answer };
  if (isDocument(answer.body)) {
    const shown = `${message} with HTML as ${type}: a browser does not show it as a page`;
    return { port, kind: "broken", said: shown, detail: `${shown}\n${answer.body.slice(0, 500)}` };
  }
  return { port, kind: "data", path, said: message, answer };
}

/** An API without anything at its root is asked for what its sources name; a page elsewhere is not where people begin. */
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
 * The other addresses that an API's sources answer a plain GET on: one that answers with an error of the server's own
 * is broken. 501 and 503 say themselves that something is not there.
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

/** A redirect that stays on the app: its path and query. */
function localPath(location: string, from: string, port: number): string | undefined {
  try {
    const url = new URL(location, `http://localhost:${port}${from}`);
    const own = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].includes(url.hostname);
    return own && (url.port || "80") === String(port) ? url.pathname + url.search : undefined;
  } catch {
    return undefined;
  }
}
