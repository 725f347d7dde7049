import { validateHeaderName, validateHeaderValue, type IncomingMessage, type ServerResponse } from "node:http"; // prettier-ignore
import { PassThrough, type Writable } from "node:stream";
import { WorkspaceError } from "@treadle/workspace";
import { readFraming } from "@treadle/common";
import type { RequestTarget, Visitor } from "@treadle/common";
import { statusWords } from "@treadle/gateway";
import { putIntoPage } from "../visitors/put-into-page.ts";
import type { AnswerHead, HeaderLines } from "./answer-reader.ts";
import { ConnectionClosed, type AppAnswer, type AppConnection, type AppRequest } from "./app-connection.ts"; // prettier-ignore
import { appHeaders, browserHeaders, valueOf } from "./app-headers.ts";
import type { ReleaseApp } from "./release-app.ts";

/** What holds for one request to an app. */
interface Reach {
  /** Treadle's own: an app never sees it. */
  token: string;
  target: RequestTarget;
  visitor: Visitor;
  /** Others answer at the same host, at other ports. */
  sharesHost: boolean;
  /** The answer begins. */
  onHead?: ((head: AnswerHead) => void) | undefined;
  /** What goes first into the page that is answered; absent: it is asked for by no page. */
  tagOf?: ((head: AnswerHead) => string | undefined) | undefined;
}

/**
 * Hands one request to the app and streams its answer back, as it is but for what belongs to a connection or to Treadle.
 * @returns the answer's status. Rejects only while nothing was answered.
 */
export async function askApp(
  request: IncomingMessage,
  response: ServerResponse,
  app: Pick<ReleaseApp, "connections" | "state">,
  reach: Reach,
): Promise<number> {
  const { connections } = app;
  const framing = readFraming(request);
  if (!framing) throw new Error("The request says in more than one way where it ends.");
  const method = request.method!;
  const headers = appHeaders(request, reach.token, reach.visitor);
  const sent = { method, target: reach.target, headers, framing, body: request };
  const asked: Asked = { request, response, reach, sent };
  // What may be asked for twice; and without a body nothing of it is gone when it has to be.
  const isRepeatable = framing.kind === "none" && (method === "GET" || method === "HEAD");
  if (!isRepeatable) return askOver(connections.fresh(), asked);
  const first = connections.any();
  const wasUsed = first.isUsed;
  return askOver(first, asked).catch((error: unknown) => {
    // The app closed the connection that was used again, and has not seen the request; or the request has ended the app,
    // and is not to do that twice.
    const isUnseen = wasUsed && error instanceof ConnectionClosed;
    if (!isUnseen || response.destroyed || app.state() !== "up") throw error;
    return askOver(connections.fresh(), asked).catch((again: unknown) => {
      // Nobody takes it any more: it was this request that ended the app, and that is what there is to say.
      throw again instanceof WorkspaceError && again.code === "port" ? error : again;
    });
  });
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  reach: Reach;
  sent: AppRequest;
}

const askOver = (connection: AppConnection, asked: Asked) =>
  new Promise<number>((resolve, reject) => {
    connection.ask(asked.sent, new Answer(connection, asked, resolve, reject));
  });

/** Bytes of a body that are written as text: copying more costs more than it saves. */
const TEXT_MOST = 16_384;
/** A head that goes out with it goes out as Latin-1, as it came; Node's `flushHeaders` makes UTF-8 of it. */
const NOTHING = Buffer.alloc(0);

/** The answer on its way back. A class for its speed: one is made for each request. */
class Answer implements AppAnswer {
  readonly #connection: AppConnection;
  readonly #asked: Asked;
  readonly #resolve: (status: number) => void;
  readonly #reject: (error: Error) => void;
  /** Where the answer's body goes: to the browser, or by way of what changes a page. */
  #body: Writable;
  #status = 0;
  /** It has not gone out yet: what comes together goes out together. */
  #head: { words: string | undefined; lines: HeaderLines; length: number | undefined } | undefined;
  /** The body's first piece, which waits as its head does. */
  #first: Buffer | undefined;
  readonly #onClose = () => this.#left();
  #isPaused = false;
  readonly #onDrain = () => {
    this.#isPaused = false;
    this.#connection.resume();
  };

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

  onHead(head: AnswerHead): void {
    const { request, response, reach } = this.#asked;
    reach.onHead?.(head);
    const tag = reach.tagOf?.(head);
    const { host = "" } = request.headers;
    const lines = browserHeaders(head.lines, { host, sharesHost: reach.sharesHost });
    this.#status = head.status;
    this.#head = { words: statusWords(head.words), lines, length: head.length };
    if (tag === undefined) return;
    this.#putFirst(tag, head, lines);
    if (this.#writeHead()) response.write(NOTHING);
  }

  /** @returns whether it is one that can be passed on */
  #writeHead(): boolean {
    const { words, lines } = this.#head!;
    try {
      // Node takes a status without a body as said even where it then refuses a header, and what is said instead has one.
      if (this.#status === 204 || this.#status === 304) validate(lines);
      this.#asked.response.writeHead(this.#status, words, lines);
      this.#head = undefined;
      return true;
    } catch (error) {
      this.#connection.close();
      this.#fail(error as Error);
      return false;
    }
  }

  onWait(): void {
    // A stream's reader waits for its head; that of a body whose length is known goes out with its beginning.
    if (this.#head && (this.#head.length === undefined || this.#first)) this.#sendOn();
  }

  /** @returns whether it could be passed on */
  #sendOn(): boolean {
    if (!this.#head) return true;
    if (!this.#writeHead()) return false;
    if (this.#first) this.#write(this.#first);
    else this.#asked.response.write(NOTHING);
    return true;
  }

  #write(piece: Buffer): void {
    // A piece of the connection may hold many of a body.
    if (this.#body.write(piece) || this.#isPaused) return;
    this.#isPaused = true;
    this.#connection.pause();
    this.#body.once("drain", this.#onDrain);
  }

  /** The page is changed on its way: it is longer, and another one for whom it is no page. */
  #putFirst(tag: string, head: AnswerHead, lines: HeaderLines): void {
    withoutLength(lines);
    lines.push("vary", "sec-fetch-dest");
    const { response } = this.#asked;
    const source = new PassThrough();
    const encoding = valueOf(head.lines, "content-encoding")?.toLowerCase();
    const page = putIntoPage(source, encoding, tag);
    page.once("error", () => response.destroy());
    // Whoever asked may leave while some of it is still on its way.
    response.once("close", () => source.destroy());
    page.pipe(response);
    this.#body = source;
  }

  onPiece(piece: Buffer): void {
    if (this.#head && !this.#first) this.#first = piece;
    else if (this.#sendOn()) this.#write(piece);
  }

  onEnd(): void {
    this.#end();
    if (!this.#head) this.#body.end();
    else if (!this.#sendWhole()) return;
    this.#resolve(this.#status);
  }

  /** All of it came at once, as most answers do. @returns whether it could be passed on */
  #sendWhole(): boolean {
    const { lines, length } = this.#head!;
    const first = this.#first;
    const isBare = this.#asked.sent.method === "HEAD" || this.#status === 304;
    if (this.#status === 204) withoutLength(lines);
    else if (length === undefined && !isBare)
      lines.push("content-length", String(first?.length ?? 0));
    if (!this.#writeHead()) return false;
    // Node writes a head and a body that are text with one call of the system, which costs half of what its two do.
    if (first && first.length <= TEXT_MOST) this.#body.end(first.toString("latin1"), "latin1");
    else this.#body.end(first);
    return true;
  }

  onError(error: Error): void {
    const { response } = this.#asked;
    // It had begun: the app has seen what it was asked, and is not asked again.
    if (this.#head) return this.#fail(new Error(error.message));
    if (!response.headersSent) return this.#fail(error);
    this.#end();
    // It breaks off for the reader where the app broke it off.
    this.#body.destroy();
    response.destroy();
    this.#resolve(this.#status);
  }

  /** Nothing of it has gone out: whoever asked is told so instead. */
  #fail(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.#asked.response.off("close", this.#onClose);
    this.#body.off("drain", this.#onDrain);
  }

  /** Who asked has left. */
  #left(): void {
    this.#connection.close();
    this.#fail(new Error("who asked has left"));
  }
}

/** @throws TypeError where Node passes one of them on to nobody */
function validate(lines: HeaderLines): void {
  for (let index = 0; index < lines.length; index += 2) {
    validateHeaderName(lines[index]!);
    validateHeaderValue(lines[index]!, lines[index + 1]!);
  }
}

function withoutLength(lines: HeaderLines): void {
  for (let index = lines.length - 2; index >= 0; index -= 2)
    if (lines[index] === "content-length") lines.splice(index, 2);
}
