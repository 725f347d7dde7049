import { isWhite } from "../artifact/tags.ts";

const TICK = 96;
const NEWLINE = 10;
const SPACE = 32;
/** Longest info string of a code fence; a longer line is prose that began with backticks. */
const INFO_LIMIT = 256;

export interface ProseScannerOptions {
  onText: (text: string) => void;
  /** Asked when a code fence opens, with its length and info string. True: the caller reads what is in it. */
  onFence?: (ticks: number, info: string) => boolean;
}

/**
 * Reads what a model writes between its tags: passes text on and stops at each `<` that is not in inline code or in a
 * code fence, where a tag may begin. Inline code ends with its line at the latest, so that a lone backtick hides no
 * more than that; a fence ends with a line of at least as many backticks.
 *
 * Its caller gives it the chunk by `begin`, calls `read` until the chunk is used up, and ends with `finish`.
 */
export class ProseScanner {
  /** Whether code fences count; inside an artifact they do not, since models wrap its actions so. */
  fences = true;
  readonly #onText: (text: string) => void;
  readonly #onFence: ((ticks: number, info: string) => boolean) | undefined;
  #state: "plain" | "ticks" | "inline" | "fence-line" | "fence" = "plain";
  #chunk = "";
  /** The next `<` and backtick of the chunk; -2 when not searched yet, so that each is searched once. */
  #nextLess = -2;
  #nextTick = -2;
  #blankBefore = true;
  /** Length of the run of backticks being read, and of the one that opened the code. */
  #run = 0;
  #opened = 0;
  #runAtLineStart = false;
  #closing = false;
  #info = "";

  constructor({ onText, onFence }: ProseScannerOptions) {
    this.#onText = onText;
    this.#onFence = onFence;
  }

  begin(chunk: string): void {
    this.#chunk = chunk;
    this.#nextLess = -2;
    this.#nextTick = -2;
  }

  /** The chunk was read up to `at`; the next one goes on from there. */
  finish(at: number): void {
    this.#blankBefore = this.isLineStart(at);
  }

  /** Reads on: the place of a `<` outside code, the end of the chunk, or the line break of a fence that was taken. */
  read(from: number): number {
    let at = from;
    while (at < this.#chunk.length) {
      switch (this.#state) {
        case "plain": {
          const stop = this.#readPlain(at);
          if (stop === -1) {
            at = this.#nextTick;
            break;
          }
          return stop;
        }
        case "ticks":
          at = this.#readTicks(at);
          break;
        case "inline":
          at = this.#readInline(at);
          break;
        case "fence-line":
          at = this.#readFenceLine(at);
          if (this.#taken) {
            this.#taken = false;
            return at;
          }
          break;
        case "fence":
          at = this.#readFence(at);
      }
    }
    return at;
  }
  #taken = false;

  /** The caller gives a fence back that it had taken: its head is text, and what follows is in it. */
  enterFence(ticks: number, info: string): void {
    this.#onText("`".repeat(ticks) + info);
    this.#opened = ticks;
    this.#run = 0;
    this.#state = "fence";
  }

  /** The message is over: gives out what it held. */
  end(): void {
    if (this.#state === "ticks") this.#onText("`".repeat(this.#run));
    else if (this.#state === "fence-line") this.#onText("`".repeat(this.#opened) + this.#info);
    this.#state = "plain";
  }

  /** Gives out a range of the chunk. */
  pass(from: number, to: number): void {
    if (to <= from) return;
    const whole = from === 0 && to === this.#chunk.length;
    this.#onText(whole ? this.#chunk : this.#chunk.slice(from, to));
  }

  /** Whether only blanks stand between the last line break, or the message's beginning, and `at`. */
  isLineStart(at: number): boolean {
    let before = at - 1;
    while (before >= 0 && this.#chunk.charCodeAt(before) === SPACE) before--;
    return before < 0 ? this.#blankBefore : this.#chunk.charCodeAt(before) === NEWLINE;
  }

  /** The place of the next `<`, or the chunk's end; -1 when a backtick comes first. */
  #readPlain(from: number): number {
    const chunk = this.#chunk;
    if (this.#nextLess !== -1 && this.#nextLess < from) this.#nextLess = chunk.indexOf("<", from);
    if (this.#nextTick !== -1 && this.#nextTick < from) this.#nextTick = chunk.indexOf("`", from);
    const less = this.#nextLess === -1 ? chunk.length : this.#nextLess;
    const tick = this.#nextTick === -1 ? chunk.length : this.#nextTick;
    if (tick >= less) {
      this.pass(from, less);
      return less;
    }
    this.pass(from, tick);
    this.#runAtLineStart = this.isLineStart(tick);
    this.#run = 0;
    this.#state = "ticks";
    return -1;
  }

  /** Counts a run of backticks outside code, then decides what it opens. */
  #readTicks(from: number): number {
    const at = this.#countTicks(from);
    if (at === this.#chunk.length) return at;
    const run = this.#run;
    this.#opened = run;
    if (run >= 3 && this.fences && this.#runAtLineStart) {
      this.#info = "";
      this.#state = "fence-line";
      return at;
    }
    this.#onText("`".repeat(run));
    this.#closing = false;
    this.#state = run >= 3 && !this.fences ? "plain" : "inline";
    return at;
  }

  #countTicks(from: number): number {
    let at = from;
    while (at < this.#chunk.length && this.#chunk.charCodeAt(at) === TICK) at++;
    this.#run += at - from;
    return at;
  }

  #readInline(from: number): number {
    const chunk = this.#chunk;
    let at = from;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === TICK) {
        this.#run++;
        continue;
      }
      if (this.#closing && this.#run === this.#opened) break;
      this.#run = 0;
      this.#closing = true;
      if (code === NEWLINE) break;
    }
    this.pass(from, at);
    if (at < chunk.length) this.#state = "plain";
    return at;
  }

  #readFenceLine(from: number): number {
    const chunk = this.#chunk;
    let at = from;
    const limit = Math.min(chunk.length, at + INFO_LIMIT - this.#info.length);
    while (at < limit && chunk.charCodeAt(at) !== NEWLINE && chunk.charCodeAt(at) !== TICK) at++;
    this.#info += chunk.slice(from, at);
    if (at === chunk.length && this.#info.length < INFO_LIMIT) return at;
    const opens = at < chunk.length && chunk.charCodeAt(at) === NEWLINE;
    this.#run = 0;
    if (opens && this.#onFence?.(this.#opened, this.#info)) {
      this.#state = "plain";
      this.#taken = true;
      return at;
    }
    this.#onText("`".repeat(this.#opened) + this.#info);
    this.#closing = this.#info !== "";
    this.#state = opens ? "fence" : "inline";
    return at;
  }

  #readFence(from: number): number {
    const chunk = this.#chunk;
    if (this.#run > 0) {
      const at = this.#countTicks(from);
      if (at < chunk.length) {
        if (this.#run >= this.#opened && isWhite(chunk.charCodeAt(at))) this.#state = "plain";
        this.#run = 0;
      }
      this.pass(from, at);
      return at;
    }
    if (this.#nextTick !== -1 && this.#nextTick < from) this.#nextTick = chunk.indexOf("`", from);
    let at = this.#nextTick === -1 ? chunk.length : this.#nextTick;
    if (at < chunk.length) {
      if (this.isLineStart(at)) this.#run = 1;
      at++;
    }
    this.pass(from, at);
    return at;
  }
}
