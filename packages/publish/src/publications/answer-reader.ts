import { ANSWER_HEAD_BYTES, HEAD_TOO_LONG } from "@treadle/common";

/**
 * Header names and values alternately, as they were received; Node's HTTP accepts this form without
 * a copy.
 */
export type HeaderLines = string[];

/** The head of an answer. */
export interface AnswerHead {
  status: number;
  /** The reason phrase after the status, which may be empty. */
  words: string;
  /** Names in lower case, in the received order, with repetitions. */
  lines: HeaderLines;
  /** Length of the body in bytes; undefined if only its end shows it. */
  length: number | undefined;
}

/** Receives an answer while it arrives. */
export interface AnswerSink {
  onHead(head: AnswerHead): void;
  /** Receives a part of the body, never empty. */
  onPiece(piece: Buffer): void;
  onEnd(): void;
}

/**
 * The result of reading bytes; `surplus`: bytes followed the answer, or arrived without a request.
 */
export type Read = "unfinished" | "whole" | "surplus";

/** The part that is read next. */
type Part = "nothing" | "head" | "sized" | "size" | "chunk" | "chunk-end" | "trailers" | "rest";

const CR = 13;
const LF = 10;
const HEAD_END = "\r\n\r\n";
const BEGINNING = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/;
/** A length in bytes: digits that fit into a number. */
const LENGTH = /^\d{1,15}$/;
/** How long a connection is kept open, in seconds. */
const TIMEOUT = /timeout=(\d+)/i;
/** Maximum digits of a chunk's size, which may be followed by extensions. */
const SIZE_DIGITS = 12;
const SIZE_BYTES = 4_096;

/**
 * Reads the answers of an app over a connection, one at a time (HTTP/1.1: RFC 9112, 4 to 7).
 * Reports with each chunk whether the answer is complete, and whether more bytes followed, which
 * decides whether the connection can be reused. Neither Node's client nor undici nor http-parser-js
 * reports that; the parser of the last alone took 4 µs for a small answer, where this one took 1.5.
 * Interim answers (1xx) are skipped.
 */
export class AnswerReader {
  #part: Part = "nothing";
  #sink: AnswerSink | undefined;
  #isToHead = false;
  /** Bytes remaining in the body or in the chunk. */
  #left = 0;
  /** An incomplete head or line, in a buffer with spare room. */
  #held: Buffer | undefined;
  #heldLength = 0;
  #keepsMs = 0;

  /**
   * Expects an answer.
   * @param isToHead whether it has no body, whatever its head says
   */
  begin(sink: AnswerSink, isToHead: boolean): void {
    this.#sink = sink;
    this.#isToHead = isToHead;
    this.#part = "head";
  }

  /** Discards the rest of the answer. */
  drop(): void {
    this.#part = "nothing";
    this.#sink = undefined;
    this.#held = undefined;
  }

  /**
   * How long the app keeps the connection open after the answer, in milliseconds. Infinite if it states no time; 0 if
   * it closes the connection.
   */
  get keepsMs(): number {
    return this.#keepsMs;
  }

  /**
   * Reads the next bytes of the connection.
   * @throws Error with a sentence if they are not a valid answer
   */
  read(piece: Buffer): Read {
    if (this.#part === "nothing") return "surplus";
    let bytes = piece;
    let sought = 0;
    if (this.#held) {
      sought = this.#heldLength;
      bytes = this.#hold(piece);
    }
    let at = 0;
    while (at < bytes.length) {
      const next = this.#readPart(bytes, at, sought);
      if (this.#sink === undefined) return next < bytes.length ? "surplus" : "whole";
      if (next === at) {
        this.#keep(bytes, at);
        return "unfinished";
      }
      at = next;
    }
    this.#held = undefined;
    return "unfinished";
  }

  /**
   * Called when the app has closed its side.
   * @returns whether the answer is complete with that
   */
  end(): boolean {
    const isWhole = this.#part === "rest";
    if (isWhole) this.#finish();
    return isWhole;
  }

  /**
   * @param sought number of bytes already searched
   * @returns the position up to which it read; `at` if more bytes are needed
   */
  #readPart(bytes: Buffer, at: number, sought: number): number {
    switch (this.#part) {
      case "head":
      case "trailers": {
        if (this.#part === "trailers" && startsWithBreak(bytes, at)) {
          this.#finish();
          return at + 2;
        }
        const end = bytes.indexOf(HEAD_END, Math.max(at, sought - 3));
        if ((end === -1 ? bytes.length : end) - at > ANSWER_HEAD_BYTES)
          throw Object.assign(new Error(HEAD_TOO_LONG), { code: "HPE_HEADER_OVERFLOW" });
        if (end === -1) {
          if (this.#part === "head" && !mayBeHead(bytes, at))
            throw unread("it does not begin as one");
          return at;
        }
        if (this.#part === "head") this.#readHead(bytes.toString("latin1", at, end));
        else this.#finish();
        return end + HEAD_END.length;
      }
      case "size":
        return this.#readSize(bytes, at);
      case "chunk-end": {
        if (bytes.length - at < 2) return at;
        if (!startsWithBreak(bytes, at)) throw unread("a chunk is longer than it says");
        this.#part = "size";
        return at + 2;
      }
      case "sized":
      case "chunk": {
        const end = Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        const isOver = this.#left === 0;
        if (isOver && this.#part === "chunk") this.#part = "chunk-end";
        this.#sink!.onPiece(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
        if (isOver && this.#part === "sized") this.#finish();
        return end;
      }
      default:
        this.#sink!.onPiece(at === 0 ? bytes : bytes.subarray(at));
        return bytes.length;
    }
  }

  #readHead(text: string): void {
    let end = text.indexOf("\r\n");
    if (end === -1) end = text.length;
    const found = STATUS_LINE.exec(text.slice(0, end));
    if (!found) throw unread("it does not begin as one");
    const status = Number(found[2]);
    if (status === 101) throw unread("it changes to another protocol, which nobody asked for");
    // An interim answer.
    if (status < 200) return;
    const lines: HeaderLines = [];
    let length: number | undefined;
    let isChunked = false;
    let connection = "";
    let keepsMs = Number.POSITIVE_INFINITY;
    while (end < text.length) {
      const begin = end + 2;
      end = text.indexOf("\r\n", begin);
      if (end === -1) end = text.length;
      const colon = text.indexOf(":", begin);
      if (colon <= begin || colon >= end) throw unread("a header has no name");
      const name = text.slice(begin, colon).toLowerCase();
      const value = withoutBlanks(text, colon + 1, end);
      if (name === "content-length") {
        if (!LENGTH.test(value) || (length !== undefined && length !== Number(value)))
          throw unread("its length is none");
        // A repeated length is passed on once, since some browsers reject it twice.
        if (length !== undefined) continue;
        length = Number(value);
      }
      lines.push(name, value);
      if (name === "transfer-encoding") {
        // Some apps repeat it but encode once.
        if (value.toLowerCase() !== "chunked")
          throw unread("it is encoded in a way that was not asked for");
        isChunked = true;
      } else if (name === "connection") connection += `,${value.toLowerCase()}`;
      else if (name === "keep-alive")
        keepsMs = 1_000 * Number(TIMEOUT.exec(value)?.[1] ?? keepsMs / 1_000);
    }
    // With two different framings, another reader might choose the other one.
    if (isChunked && length !== undefined) throw unread("it says twice how long it is");
    const hasBody = !this.#isToHead && status !== 204 && status !== 304;
    const isDelimited = !hasBody || isChunked || length !== undefined;
    this.#keepsMs = isDelimited && keeps(connection, found[1]!) ? keepsMs : 0;
    this.#left = length ?? 0;
    this.#part = isChunked ? "size" : length === undefined ? "rest" : "sized";
    this.#sink!.onHead({ status, words: found[3] ?? "", lines, length });
    if (!hasBody || (this.#part === "sized" && this.#left === 0)) this.#finish();
  }

  #readSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    if ((end === -1 ? bytes.length : end) - at > SIZE_BYTES)
      throw unread("a chunk's size is too long");
    if (end === -1) return at;
    let size = 0;
    let digits = 0;
    for (let value; (value = hexDigit(bytes[at + digits]!)) !== -1; digits++)
      size = size * 16 + value;
    const behind = bytes[at + digits];
    const isEnded = bytes[end - 1] === CR && (behind === CR || behind === 59 || behind === 32);
    if (digits === 0 || digits > SIZE_DIGITS || !isEnded) throw unread("a chunk has no size");
    this.#left = size;
    this.#part = size === 0 ? "trailers" : "chunk";
    return end + 1;
  }

  #finish(): void {
    const sink = this.#sink;
    this.drop();
    sink?.onEnd();
  }

  /** Stores the beginning of an incomplete part. */
  #keep(bytes: Buffer, at: number): void {
    if (this.#held && at === 0) return;
    this.#held = Buffer.allocUnsafeSlow(Math.max(1_024, 2 * (bytes.length - at)));
    this.#heldLength = bytes.copy(this.#held, 0, at);
  }

  /** Appends a chunk to the stored bytes. @returns all of them */
  #hold(piece: Buffer): Buffer {
    const length = this.#heldLength + piece.length;
    if (length > this.#held!.length) {
      const wider = Buffer.allocUnsafeSlow(2 * length);
      this.#held!.copy(wider, 0, 0, this.#heldLength);
      this.#held = wider;
    }
    piece.copy(this.#held!, this.#heldLength);
    this.#heldLength = length;
    return this.#held!.subarray(0, length);
  }
}

const unread = (why: string) => new Error(`the answer cannot be read: ${why}.`);

const startsWithBreak = (bytes: Buffer, at: number) => bytes[at] === CR && bytes[at + 1] === LF;

/**
 * Whether the bytes may become a head: anything else might never contain an empty line, and the
 * client would wait for it.
 */
function mayBeHead(bytes: Buffer, at: number): boolean {
  const end = bytes.indexOf(LF, at);
  const begin = bytes.toString("latin1", at, at + BEGINNING.length);
  return BEGINNING.startsWith(begin) && (end === -1 || bytes[end - 1] === CR);
}

const isBlank = (code: number) => code === 32 || code === 9;

/**
 * A part of a text without spaces and tabs around it; `trim` would also remove other characters of
 * Latin-1.
 */
function withoutBlanks(text: string, from: number, to: number): string {
  let [begin, end] = [from, to];
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
  while (begin < end && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}

/** Whether the connection stays open after the answer. @param version the digit after `HTTP/1.` */
const keeps = (connection: string, version: string) =>
  version === "1" ? !connection.includes("close") : connection.includes("keep-alive");

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
