import type { IncomingMessage } from "node:http";
import { Transform, type Duplex, type Readable } from "node:stream";
import { type Framing, framingHeader } from "@treadle/common";
import type { RequestTarget } from "@treadle/common";
import { AnswerReader, type AnswerSink, type HeaderLines, type Read } from "./answer-reader.ts";

/**
 * Unused connections are given up after so many milliseconds: earlier than the servers of apps do it (Node and uvicorn
 * after 5 s), so that hardly a request meets one that is being closed.
 */
const UNUSED_MS = 3_000;
/** So much earlier than a server says that it would close it, in milliseconds. */
const EARLIER_MS = 1_000;

/** An app refuses what it looks at the head of alone within so many milliseconds, and so many looks at its connection. */
const REFUSED = { looks: 6, lookMs: 10 };
/** Bytes of a body that is worth waiting with. */
const MUCH = 16 * 1024;

/** The app has closed the connection, or broken it off, before it answered. */
export class ConnectionClosed extends Error {
  constructor() {
    super("the app closed the connection before it answered.");
  }
}

/** Who waits for an answer. */
export interface AppAnswer extends AnswerSink {
  /** All that came by now was told, and the answer goes on. */
  onWait(): void;
  /** It does not come, or breaks off. */
  onError(error: Error): void;
}

/**
 * One request to an app. Where it ends is said once, by its framing: the header and the bytes of the body are both made of
 * that, and `headers` has no part in it.
 */
export interface AppRequest {
  method: string;
  target: RequestTarget;
  /** Without those of the connection, and without any that say where the body ends. */
  headers: HeaderLines;
  framing: Framing;
  /** The request that has the body; it is read if the framing tells of one. */
  body: IncomingMessage;
}

/** One connection to an app. */
export class AppConnection {
  /** Whether a request was answered over it: the app may be closing it just now. */
  isUsed = false;
  readonly #onFree: (connection: AppConnection) => void;
  readonly #onClose: (connection: AppConnection) => void;
  readonly #reader = new AnswerReader();
  #stream: Duplex | undefined;
  #request: AppRequest | undefined;
  #answer: AppAnswer | undefined;
  /** The request's body as it goes over the line. */
  #sent: Readable | undefined;
  #unused: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param onFree it may be used for another request
   * @param onClose it may not any more
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

  /** One at a time. */
  ask(request: AppRequest, answer: AppAnswer): void {
    this.#request = request;
    this.#answer = answer;
    this.#reader.begin(answer, request.method === "HEAD");
    if (this.#stream) this.#send(this.#stream);
  }

  /** Reads no more of the answer until it is resumed. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** Whoever waits for an answer is told nothing more. */
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
    // It broke on its way here, and says so no more.
    if (stream.destroyed) return this.#fail(new ConnectionClosed());
    this.#stream = stream;
    stream.on("data", (piece: Buffer) => this.#read(piece));
    stream.on("end", () =>
      this.#reader.end() ? this.close() : this.#fail(new ConnectionClosed()),
    );
    // Without an end it broke, and nobody knows whether that was all of it.
    stream.on("close", () => this.#fail(new ConnectionClosed()));
    if (this.#answer) this.#send(stream);
  }

  #send(stream: Duplex): void {
    const request = this.#request!;
    const head = requestHead(request);
    if (request.framing.kind === "none") return void stream.write(head, "latin1");
    // What has come of it goes out with the head. Apart, an app that answers without reading it closes the connection in
    // between, and takes its answer with it.
    stream.cork();
    stream.write(head, "latin1");
    setImmediate(() => stream.uncork());
    const body = framed(request.framing);
    // A body that does not end as its head says ends the connection.
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

  /** @param isKept whether the app keeps it open, and nothing came behind the answer */
  #over(isKept: boolean): void {
    // A connection that carried a body is never used again: an app that reads the body otherwise than it was sent would take
    // the rest of it for the next visitor's request.
    if (!isKept || this.#sent) return this.close();
    this.#answer = undefined;
    this.#request = undefined;
    this.isUsed = true;
    this.#stream!.resume();
    const ms = Math.min(UNUSED_MS, this.#reader.keepsMs - EARLIER_MS);
    // Begun anew costs less than another one. While a request goes on it means nothing.
    this.#unused ??= setTimeout(() => this.#answer ?? this.close(), ms).unref();
    this.#unused.refresh();
    this.#onFree(this);
  }

  #fail(error: Error): void {
    const answer = this.#answer;
    this.close();
    answer?.onError(error);
  }

  /** Whoever sends on is not to wait for somebody to take it. */
  #leaveBody(): void {
    const request = this.#request;
    if (!request || request.framing.kind === "none" || request.body.readableEnded) return;
    request.body.unpipe().resume();
  }
}

/**
 * A body that waits a moment once much of it was sent. An app that refuses what is uploaded answers at once and closes the
 * connection, which breaks with the answer in it under whoever writes just then; later the app has either said so or is reading.
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
 * Waits so many times a moment, and each time until connections were read. A timer alone is over before anything was read
 * if the thread was busy meanwhile.
 */
function afterLooks(looks: number, done: () => void): void {
  const next = () => (looks > 1 ? afterLooks(looks - 1, done) : done());
  setTimeout(() => setImmediate(next), REFUSED.lookMs);
}

/** The head of a request as it goes to an app, in Latin-1. It is the only place that writes one. */
function requestHead({ method, target, headers, framing }: AppRequest): string {
  const connection = framing.kind === "none" ? "keep-alive" : "close";
  let head = `${method} ${target.text} HTTP/1.1\r\nconnection: ${connection}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    head += `${headers[index]!}: ${headers[index + 1]!}\r\n`;
  const [name, value] = framingHeader(framing);
  return name === undefined ? `${head}\r\n` : `${head}${name}: ${value!}\r\n\r\n`;
}

/** What puts a body on the line as its head says that it comes. */
const framed = (framing: Exclude<Framing, { kind: "none" }>) =>
  framing.kind === "length" ? exactly(framing.bytes) : inChunks();

/** A body of so many bytes: fails where there are more or fewer. */
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

/** A body whose length is not known before it ends (RFC 9112, 7.1). */
const inChunks = () =>
  new Transform({
    transform(piece: Buffer, _, done) {
      // Copying it costs less than the calls of the system that it would take in three.
      done(null, Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, BREAK]));
    },
    flush: (done) => done(null, "0\r\n\r\n"),
  });
