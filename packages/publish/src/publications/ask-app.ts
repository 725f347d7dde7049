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

/** The conditions of one request to an app. */
interface Reach {
  /** Treadle's own token, which an app never sees. */
  token: string;
  target: RequestTarget;
  visitor: Visitor;
  /** Whether other apps use the same host at other ports. */
  sharesHost: boolean;
  /** Called when the answer begins. */
  onHead?: ((head: AnswerHead) => void) | undefined;
  /**
   * The tag to insert at the start of an answered page; absent if the request is not for a page.
   */
  tagOf?: ((head: AnswerHead) => string | undefined) | undefined;
}

/**
 * Sends one request to the app and streams its answer back, unchanged except for headers of the
 * connection and of Treadle.
 * @returns the answer's status. Rejects only before any part of the answer was sent
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
  // Idempotent, and without a body, so that it can be sent again.
  const isRepeatable = framing.kind === "none" && (method === "GET" || method === "HEAD");
  if (!isRepeatable) return askOver(connections.fresh(), asked);
  const first = connections.any();
  const wasUsed = first.isUsed;
  return askOver(first, asked).catch((error: unknown) => {
    // The app closed a reused connection without seeing the request, or the request crashed the app
    // and must not do so again.
    const isUnseen = wasUsed && error instanceof ConnectionClosed;
    if (!isUnseen || response.destroyed || app.state() !== "up") throw error;
    return askOver(connections.fresh(), asked).catch((again: unknown) => {
      // The app accepts no connection any more: this request crashed it, which is the error to report.
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

/** Maximum size of a body written as text, in bytes: beyond it copying costs more than it saves. */
const TEXT_MOST = 16_384;
/**
 * The content of an empty write, which sends the head in Latin-1, as it was received; Node's
 * `flushHeaders` would encode it in UTF-8.
 */
const NOTHING = Buffer.alloc(0);

/** The answer on its way back. A class for speed, as one is created per request. */
class Answer implements AppAnswer {
  readonly #connection: AppConnection;
  readonly #asked: Asked;
  readonly #resolve: (status: number) => void;
  readonly #reject: (error: Error) => void;
  /** The destination of the body: the browser, or a transform that changes a page. */
  #body: Writable;
  #status = 0;
  /** The head until it is sent; it waits so that it can be sent together with the body. */
  #head: { words: string | undefined; lines: HeaderLines; length: number | undefined } | undefined;
  /** The first part of the body, held back like the head. */
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

  /** Sends the answer's head. @returns whether Node accepted it */
  #writeHead(): boolean {
    const { words, lines } = this.#head!;
    try {
      // Node fixes a status without a body even if it then rejects a header, and the error answer
      // has a body.
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
    // The reader of a stream waits for its head; otherwise the head is sent with the start of the
    // body.
    if (this.#head && (this.#head.length === undefined || this.#first)) this.#sendOn();
  }

  /** Sends what was held back: the head and the start of the body. @returns whether Node accepted the head */
  #sendOn(): boolean {
    if (!this.#head) return true;
    if (!this.#writeHead()) return false;
    if (this.#first) this.#write(this.#first);
    else this.#asked.response.write(NOTHING);
    return true;
  }

  #write(piece: Buffer): void {
    // One read of the connection may contain many chunks of a body.
    if (this.#body.write(piece) || this.#isPaused) return;
    this.#isPaused = true;
    this.#connection.pause();
    this.#body.once("drain", this.#onDrain);
  }

  /** Inserts the tag into the page, which changes its length and makes it vary by request. */
  #putFirst(tag: string, head: AnswerHead, lines: HeaderLines): void {
    withoutLength(lines);
    lines.push("vary", "sec-fetch-dest");
    const { response } = this.#asked;
    const source = new PassThrough();
    const encoding = valueOf(head.lines, "content-encoding")?.toLowerCase();
    const page = putIntoPage(source, encoding, tag);
    page.once("error", () => response.destroy());
    // The client may leave while data is still in transit.
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

  /**
   * Sends an answer that arrived completely, as most do.
   * @returns whether it could be passed on
   */
  #sendWhole(): boolean {
    const { lines, length } = this.#head!;
    const first = this.#first;
    const isBare = this.#asked.sent.method === "HEAD" || this.#status === 304;
    if (this.#status === 204) withoutLength(lines);
    else if (length === undefined && !isBare)
      lines.push("content-length", String(first?.length ?? 0));
    if (!this.#writeHead()) return false;
    // Node writes a text head and a text body with a single system call, which halves the cost.
    if (first && first.length <= TEXT_MOST) this.#body.end(first.toString("latin1"), "latin1");
    else this.#body.end(first);
    return true;
  }

  onError(error: Error): void {
    const { response } = this.#asked;
    // The answer had begun, so the app has seen the request, which is not repeated.
    if (this.#head) return this.#fail(new Error(error.message));
    if (!response.headersSent) return this.#fail(error);
    this.#end();
    // The client's answer breaks off where the app's did.
    this.#body.destroy();
    response.destroy();
    this.#resolve(this.#status);
  }

  /** Rejects while nothing was sent yet, so that the client gets an error answer instead. */
  #fail(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.#asked.response.off("close", this.#onClose);
    this.#body.off("drain", this.#onDrain);
  }

  /** The client has left. */
  #left(): void {
    this.#connection.close();
    this.#fail(new Error("who asked has left"));
  }
}

/** Checks the headers. @throws TypeError if Node rejects one of them */
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
