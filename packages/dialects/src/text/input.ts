/** What is being read: what was held back of earlier pieces, and the new one. */
export class Input {
  chunk = "";
  /** How many there were: what is known of places in one holds for no other. */
  chunks = 0;
  /** How far the chunk is read. */
  at = 0;
  #startsLine = true;

  /** Takes a piece, and reads with `step` until all is read or `step` says by false that it must wait. */
  read(piece: string, step: () => boolean): void {
    this.#startsLine = this.isLineStart(this.at);
    this.chunk = this.at === this.chunk.length ? piece : this.rest + piece;
    this.at = 0;
    this.chunks++;
    while (this.at < this.chunk.length && step());
  }

  /**
   * Reads a piece of a single character that no tag and no code begins with, as most of such pieces are: the character,
   * or `""`. To search it would take longer than all else that is done with it.
   */
  takeOne(): string {
    const { chunk } = this;
    if (chunk.length !== 1) return "";
    const code = chunk.charCodeAt(0);
    if (code === 60 || code === 96) return "";
    this.at = 1;
    return chunk;
  }

  /** Reads on to `to`: what was read. */
  take(to: number): string {
    const text = this.chunk.slice(this.at, to);
    this.at = to;
    return text;
  }

  /** What is not read yet. */
  get rest(): string {
    return this.chunk.slice(this.at);
  }

  /** Puts text that was read back in front, to be read again as something else. */
  giveBack(text: string, startsLine: boolean): void {
    const before = this.at - text.length;
    this.chunks++;
    // Most of it still stands there: to copy what follows for each such text would take the square of it.
    if (before > 0 && this.chunk.startsWith(text, before)) this.at = before;
    else {
      this.chunk = text + this.rest;
      this.at = 0;
      this.#startsLine = startsLine;
    }
  }

  /** Whether only blanks stand between the last line break, or the beginning, and `at`. */
  isLineStart(at: number): boolean {
    let before = 0;
    while (at > 0 && ((before = this.chunk.charCodeAt(at - 1)) === 32 || before === 9)) at--;
    return at > 0 ? this.chunk.charCodeAt(at - 1) === 10 : this.#startsLine;
  }
}

/** The two ends of a reader of pieces: `finish` is called once, and nothing is read behind it. */
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
