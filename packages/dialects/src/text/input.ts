/** The text being read: the held part of earlier chunks, and the new one. */
export class Input {
  chunk = "";
  /** Number of chunks so far; positions in one are invalid in the next. */
  chunks = 0;
  /** Position up to which the chunk was read. */
  at = 0;
  #startsLine = true;

  /** Takes a chunk, and calls `step` until everything is read or `step` returns false to wait. */
  read(piece: string, step: () => boolean): void {
    this.#startsLine = this.isLineStart(this.at);
    this.chunk = this.at === this.chunk.length ? piece : this.rest + piece;
    this.at = 0;
    this.chunks++;
    while (this.at < this.chunk.length && step());
  }

  /**
   * Reads a chunk of a single character that begins no tag and no code, as most of such chunks are:
   * returns the character, or `""`. A search would take longer than all other work on it.
   */
  takeOne(): string {
    const { chunk } = this;
    if (chunk.length !== 1) return "";
    const code = chunk.charCodeAt(0);
    if (code === 60 || code === 96) return "";
    this.at = 1;
    return chunk;
  }

  /** Reads up to `to` and returns that text. */
  take(to: number): string {
    const text = this.chunk.slice(this.at, to);
    this.at = to;
    return text;
  }

  /** The unread text. */
  get rest(): string {
    return this.chunk.slice(this.at);
  }

  /** Puts text back in front, to be read again as something else. */
  giveBack(text: string, startsLine: boolean): void {
    const before = this.at - text.length;
    this.chunks++;
    // Most of it is still in the chunk: copying the rest for each such text would take quadratic
    // time.
    if (before > 0 && this.chunk.startsWith(text, before)) this.at = before;
    else {
      this.chunk = text + this.rest;
      this.at = 0;
      this.#startsLine = startsLine;
    }
  }

  /** Whether only blanks lie between the last line break, or the beginning, and `at`. */
  isLineStart(at: number): boolean {
    let before = 0;
    while (at > 0 && ((before = this.chunk.charCodeAt(at - 1)) === 32 || before === 9)) at--;
    return at > 0 ? this.chunk.charCodeAt(at - 1) === 10 : this.#startsLine;
  }
}

/** The two methods of a chunk reader: `end` calls `finish` once, and nothing is read after it. */
export function readPieces(
  input: Input,
  step: () => boolean,
  finish: () => void,
): { write(chunk: string): void; end(): void } {
  let ended = false;
  return {
    write(chunk) {
      if (!ended) input.read(chunk, step);
    },
    end() {
      if (ended) return;
      ended = true;
      finish();
    },
  };
}
