import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, type Writable } from "node:stream";
import type { Dispatcher } from "undici";
import { requestPath } from "../gateway/request-path.ts";
import { statusWords } from "../gateway/status-words.ts";
import { putIntoPage } from "../visitors/put-into-page.ts";
import type { AppConnection, AppConnections } from "./app-connections.ts";
import { appHeaders, browserHeaders, type HeaderLines } from "./app-headers.ts";
import type { ReleasedApp } from "./released-app.ts";

/** How an answer begins. */
export interface PageHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/** What holds for one request to an app. */
interface Reach {
  /** Treadle's own: an app never sees it. */
  token: string;
  /** Others answer at the same host, at other ports. */
  sharesHost: boolean;
  /** The answer begins. */
  onHead?: ((head: PageHead) => void) | undefined;
  /** What goes first into the page that is answered; absent: it is asked for by no page. */
  tagOf?: ((head: PageHead) => string | undefined) | undefined;
}

/**
 * Hands one request to the app and streams its answer back, as it is but for what belongs to a connection or to Treadle.
 * @returns the answer's status. Rejects only while nothing was answered.
 */
export async function askApp(
  request: IncomingMessage,
  response: ServerResponse,
  app: Pick<ReleasedApp, "connections" | "state">,
  reach: Reach,
): Promise<number> {
  const { connections } = app;
  const headers = appHeaders(request, reach.token);
  const asked: Asked = { request, response, headers, connections, reach };
  if (!isRepeatable(request)) return askOver(connections.fresh(), asked);
  const first = connections.any();
  return askOver(first, asked).catch((error: unknown) => {
    // The app closed the connection that was used again, and has not seen the request; or the request has ended the app,
    // and is not to do that twice.
    if (!first.isUsed || response.destroyed || app.state() !== "up") throw error;
    return askOver(connections.fresh(), asked);
  });
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  headers: HeaderLines;
  connections: AppConnections;
  reach: Reach;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** May be asked for twice, and without a body nothing of it is gone when it has to be. */
const isRepeatable = (request: IncomingMessage) =>
  (request.method === "GET" || request.method === "HEAD") && !hasBody(request);

function askOver(connection: AppConnection, asked: Asked): Promise<number> {
  const { request, headers } = asked;
  return new Promise((resolve, reject) => {
    connection.client.dispatch(
      {
        method: request.method!,
        path: requestPath(request.url),
        headers,
        // Undici takes its socket from a request that it is given itself, and whoever looks at it then finds none.
        body: hasBody(request) ? request.pipe(new PassThrough()) : null,
      },
      new Answer(connection, asked, resolve, reject),
    );
  });
}

/**
 * Statuses of answers that are whole with their head, whatever length it tells: that of what would have come otherwise
 * (RFC 9110, 8.6). Undici waits for it in vain.
 */
const BARE = new Set([204, 304]);

/** Bytes of a body that are written as text: copying more costs more than it saves. */
const TEXT_MOST = 16_384;

/** A head that was read. */
interface Head {
  text: string | undefined;
  lines: HeaderLines;
  /** The app says how long the body is, and what goes out is as long. */
  hasLength: boolean;
}

/** The answer on its way back. A class for its speed: one is made for each request. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #connection: AppConnection;
  readonly #asked: Asked;
  readonly #resolve: (status: number) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  /** Where the answer's body goes: to the browser, or by way of what changes a page. */
  #body: Writable;
  #status = 0;
  #isOver = false;
  /** All of it was sent, and the connection may be used again once nothing came behind it. */
  #isBare = false;
  /** It has not gone out yet: what comes together goes out together. */
  #head: Head | undefined;
  /** The body's first piece, which waits as its head does. */
  #first: Buffer | undefined;
  readonly #onClose = () => this.#left();
  readonly #onDrain = () => this.#controller?.resume();

  constructor(
    connection: AppConnection,
    asked: Asked,
    resolve: (status: number) => void,
    reject: (error: Error) => void,
  ) {
    this.#connection = connection;
    this.#asked = asked;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#body = asked.response;
    asked.response.on("close", this.#onClose);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#asked.response.destroyed) this.#left();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    text?: string,
  ): void {
    // Of what is said before an answer (103) nothing is passed on.
    if (status < 200) return;
    const { request, response, reach } = this.#asked;
    const { host = "" } = request.headers;
    reach.onHead?.({ status, headers });
    const tag = reach.tagOf?.({ status, headers });
    const lines = browserHeaders(headers, { host, sharesHost: reach.sharesHost });
    if (tag !== undefined) this.#putFirst(tag, headers, lines);
    if (status === 204) withoutLength(lines);
    this.#status = status;
    const hasLength = headers["content-length"] !== undefined;
    const head = { text: statusWords(text), lines, hasLength };
    if (BARE.has(status)) {
      this.#isBare = this.#writeHead(head);
      if (this.#isBare) response.end();
      return;
    }
    if (tag !== undefined) {
      if (this.#writeHead(head)) response.flushHeaders();
      return;
    }
    this.#head = head;
    // A stream's reader waits for its head; that of a body whose length is known goes out with its beginning.
    if (!hasLength) queueMicrotask(() => this.#sendOn());
  }

  /** @returns whether it is one that can be passed on */
  #writeHead({ text, lines }: Head): boolean {
    try {
      this.#asked.response.writeHead(this.#status, text, lines);
      this.#head = undefined;
      return true;
    } catch (error) {
      this.#fail(error as Error);
      return false;
    }
  }

  /** Nothing more came in this turn: what is there goes out. */
  #sendOn(): void {
    const { response } = this.#asked;
    if (!this.#head || this.#isOver || response.destroyed || !this.#writeHead(this.#head)) return;
    if (this.#first) this.#write(this.#first);
    else response.flushHeaders();
  }

  #write(piece: Buffer): void {
    if (this.#body.write(piece)) return;
    this.#controller?.pause();
    this.#body.once("drain", this.#onDrain);
  }

  /** The page is changed on its way: it is longer, and another one for whom it is no page. */
  #putFirst(tag: string, headers: IncomingHttpHeaders, lines: HeaderLines): void {
    withoutLength(lines);
    lines.push("vary", "sec-fetch-dest");
    const { response } = this.#asked;
    const source = new PassThrough();
    const page = putIntoPage(source, headers["content-encoding"]?.toLowerCase(), tag);
    page.once("error", () => response.destroy());
    page.pipe(response);
    this.#body = source;
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#isBare || this.#isOver) return;
    if (this.#head && !this.#first) {
      this.#first = piece;
      return queueMicrotask(() => this.#sendOn());
    }
    this.#sendOn();
    if (!this.#isOver) this.#write(piece);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#head) {
      if (!this.#sendWhole(this.#head)) return;
    } else if (!this.#isBare) this.#body.end();
    this.#asked.connections.giveBack(this.#connection);
    this.#resolve(this.#status);
  }

  /** All of it came at once, as most answers do. @returns whether it could be passed on */
  #sendWhole(head: Head): boolean {
    const { request } = this.#asked;
    const { length = 0 } = this.#first ?? {};
    if (!head.hasLength && request.method !== "HEAD")
      head.lines.push("content-length", String(length));
    if (!this.#writeHead(head)) return false;
    // Node writes a head and a body that are text with one call of the system, which costs half of what its two do.
    if (this.#first && length <= TEXT_MOST)
      this.#body.end(this.#first.toString("latin1"), "latin1");
    else this.#body.end(this.#first);
    return true;
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isBare || this.#asked.response.headersSent) return this.#breakOff();
    // Nothing of it went out, but it had begun: the app has seen what it was asked, and is not asked again.
    if (this.#head) this.#connection.isUsed = false;
    this.#fail(error);
  }

  /** Nothing of it has gone out: whoever asked is told so instead. */
  #fail(error: Error): void {
    this.#end();
    void this.#connection.client.destroy();
    this.#reject(error);
  }

  #breakOff(): void {
    this.#end();
    void this.#connection.client.destroy();
    if (this.#isBare) return this.#resolve(this.#status);
    // It breaks off for the reader where the app broke it off.
    this.#body.destroy();
    this.#asked.response.destroy();
    this.#resolve(this.#status);
  }

  #end(): void {
    this.#isOver = true;
    const { request, response } = this.#asked;
    response.off("close", this.#onClose);
    this.#body.off("drain", this.#onDrain);
    // The app may have answered before it read all of it: who sends on is not to wait for somebody to take it.
    if (!request.complete) request.unpipe().resume();
  }

  /** Who asked has left. */
  #left(): void {
    if (!this.#isOver && !this.#isBare) this.#controller?.abort(new Error("who asked has left"));
  }
}

function withoutLength(lines: HeaderLines): void {
  for (let index = lines.length - 2; index >= 0; index -= 2)
    if (lines[index] === "content-length") lines.splice(index, 2);
}
