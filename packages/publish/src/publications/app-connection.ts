import type { IncomingMessage } from "node:http";
import { Transform, type Duplex, type Readable } from "node:stream";
import { type Framing, framingHeader } from "@treadle/common";
import type { RequestTarget } from "@treadle/common";
import { AnswerReader, type AnswerSink, type HeaderLines, type Read } from "./answer-reader.ts";

/**
 * Idle connections are closed after this time in milliseconds, earlier than app servers do it (Node
 * and uvicorn after 5 s), so that few requests meet a closing connection.
 */
const UNUSED_MS = 3_000;
/** Margin before a server's announced timeout, in milliseconds. */
const EARLIER_MS = 1_000;

/**
 * An app rejects an upload by its head within this many polls of its connection, each this many
 * milliseconds apart.
 */
const REFUSED = { looks: 6, lookMs: 10 };
/** Minimum size of a body for which that wait is worthwhile, in bytes. */
const MUCH = 16 * 1024;

/** The app closed or broke the connection before it answered. */
export class ConnectionClosed extends Error {
  constructor() {
    super("the app closed the connection before it answered.");
  }
}

/** Receives the answer to a request. */
export interface AppAnswer extends AnswerSink {
  /** Called when all received data was delivered and more is to come. */
  onWait(): void;
  /** Called if there is no answer, or if it breaks off. */
  onError(error: Error): void;
}

/**
 * One request to an app. Its framing alone decides where it ends: the framing header and the bytes
 * of the body are both derived from it, not from `headers`.
 */
export interface AppRequest {
  method: string;
  target: RequestTarget;
  /** Without connection headers, and without any header about the body's length. */
  headers: HeaderLines;
  framing: Framing;
  /** The request with the body, which is read if the framing announces one. */
  body: IncomingMessage;
}

/** One connection to an app. */
export class AppConnection {
  /** Whether a request was answered over it, so that the app may be closing it. */
  isUsed = false;
  readonly #onFree: (connection: AppConnection) => void;
  readonly #onClose: (connection: AppConnection) => void;
  readonly #reader = new AnswerReader();
  #stream: Duplex | undefined;
  #request: AppRequest | undefined;
  #answer: AppAnswer | undefined;
  /** The request's body in its encoded form. */
  #sent: Readable | undefined;
  #unused: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param onFree called when the connection can be reused
   * @param onClose called when it is closed
   */
  constructor(
    connect: () => Promise<Duplex>,
    onFree: (connection: AppConnection) => void,
    onClose: (connection: AppConnection) => void,
  ) {
    this.#onFree = onFree;
    this.#onClose = onClose;
    connect().then(
      (stream) => this.#connected(stream),
      (error: Error) => this.#fail(error),
    );
  }

  /** Sends a request; only one at a time. */
  ask(request: AppRequest, answer: AppAnswer): void {
    this.#request = request;
    this.#answer = answer;
    this.#reader.begin(answer, request.method === "HEAD");
    if (this.#stream) this.#send(this.#stream);
  }

  /** Stops reading the answer until it is resumed. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** Closes the connection. The receiver of the answer gets nothing more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#unused);
    this.#reader.drop();
    this.#answer = undefined;
    this.#leaveBody();
    this.#stream?.destroy();
    this.#onClose(this);
  }

  #connected(stream: Duplex): void {
    stream.on("error", () => stream.destroy());
    if (this.#isClosed) return void stream.destroy();
    // The stream broke before a listener was attached, so no event will follow.
    if (stream.destroyed) return this.#fail(new ConnectionClosed());
    this.#stream = stream;
    stream.on("data", (piece: Buffer) => this.#read(piece));
    stream.on("end", () =>
      this.#reader.end() ? this.close() : this.#fail(new ConnectionClosed()),
    );
    // Closed without an end: the answer may be incomplete.
    stream.on("close", () => this.#fail(new ConnectionClosed()));
    if (this.#answer) this.#send(stream);
  }

  #send(stream: Duplex): void {
    const request = this.#request!;
    const head = requestHead(request);
    if (request.framing.kind === "none") return void stream.write(head, "latin1");
    // The available body is sent together with the head. Otherwise an app that answers without
    // reading it might close the connection in between, and the answer would be lost.
    stream.cork();
    stream.write(head, "latin1");
    setImmediate(() => stream.uncork());
    const body = framed(request.framing);
    // A body that contradicts its announced length ends the connection.
    body.on("error", (error: Error) => this.#fail(error));
    this.#sent = request.body.pipe(refusable()).pipe(body);
    this.#sent.pipe(stream, { end: false });
  }

  #read(piece: Buffer): void {
    let read: Read;
    try {
      read = this.#reader.read(piece);
    } catch (error) {
      return this.#fail(error as Error);
    }
    if (this.#isClosed) return;
    if (read === "unfinished") this.#answer?.onWait();
    else this.#over(read === "whole" && this.#reader.keepsMs > EARLIER_MS);
  }

  /** Frees or closes the connection after an answer. @param isKept whether the app keeps it open and sent no more */
  #over(isKept: boolean): void {
    // A connection that carried a body is never reused: an app that parses the body differently
    // would take its rest for the next visitor's request.
    if (!isKept || this.#sent) return this.close();
    this.#answer = undefined;
    this.#request = undefined;
    this.isUsed = true;
    this.#stream!.resume();
    const ms = Math.min(UNUSED_MS, this.#reader.keepsMs - EARLIER_MS);
    // Restarting a timer is cheaper than creating one; during a request it has no effect.
    this.#unused ??= setTimeout(() => this.#answer ?? this.close(), ms).unref();
    this.#unused.refresh();
    this.#onFree(this);
  }

  #fail(error: Error): void {
    const answer = this.#answer;
    this.close();
    answer?.onError(error);
  }

  /** Discards the rest of the request's body, so that its sender does not wait for a reader. */
  #leaveBody(): void {
    const request = this.#request;
    if (!request || request.framing.kind === "none" || request.body.readableEnded) return;
    request.body.unpipe().resume();
  }
}

/**
 * Passes on a body with a short pause after its first part. An app that rejects an upload answers
 * at once and closes the connection, and a write at that moment would destroy the answer; after the
 * pause the app has either answered or is reading.
 */
function refusable(): Transform {
  let sent = 0;
  let hasWaited = false;
  return new Transform({
    transform(piece: Buffer, _, done) {
      const waits = sent >= MUCH && !hasWaited;
      sent += piece.length;
      if (!waits) return done(null, piece);
      hasWaited = true;
      afterLooks(REFUSED.looks, () => done(null, piece));
    },
  });
}

/**
 * Waits for several event-loop turns with pauses, in each of which connections are read. A single
 * timer would fire before any read if the thread was busy.
 */
function afterLooks(looks: number, done: () => void): void {
  const next = () => (looks > 1 ? afterLooks(looks - 1, done) : done());
  setTimeout(() => setImmediate(next), REFUSED.lookMs);
}

/** The head of a request to an app, in Latin-1. No other code writes one. */
function requestHead({ method, target, headers, framing }: AppRequest): string {
  const connection = framing.kind === "none" ? "keep-alive" : "close";
  let head = `${method} ${target.text} HTTP/1.1\r\nconnection: ${connection}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    head += `${headers[index]!}: ${headers[index + 1]!}\r\n`;
  const [name, value] = framingHeader(framing);
  return name === undefined ? `${head}\r\n` : `${head}${name}: ${value!}\r\n\r\n`;
}

/** Encodes a body in the framing that its head announces. */
const framed = (framing: Exclude<Framing, { kind: "none" }>) =>
  framing.kind === "length" ? exactly(framing.bytes) : inChunks();

/** A body of exactly this many bytes; fails with more or fewer. */
function exactly(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(piece: Buffer, _, done) {
      left -= piece.length;
      if (left < 0) done(new Error("The body is longer than its request says."));
      else done(null, piece);
    },
    flush: (done) =>
      done(left === 0 ? null : new Error("The body is shorter than its request says.")),
  });
}

const BREAK = Buffer.from("\r\n");

/** A body of unknown length (RFC 9112, 7.1). */
const inChunks = () =>
  new Transform({
    transform(piece: Buffer, _, done) {
      // Copying is cheaper than three system calls.
      done(null, Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, BREAK]));
    },
    flush: (done) => done(null, "0\r\n\r\n"),
  });
