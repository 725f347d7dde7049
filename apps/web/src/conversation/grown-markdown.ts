import type { MarkdownNode } from "@treadle/protocol/markdown";
import type { MarkdownThread } from "./markdown-thread.ts";
import { readMarkdown, type ReadMarkdown } from "./read-markdown.ts";

/** Texts up to this length are parsed on the page's own thread; the worst cases take a few milliseconds. */
const MAX_DIRECT_CHARS = 2_000;

/** The visible state of a text. */
export interface ShownMarkdown {
  /** Parsed blocks, in order. A block that no longer changes stays the same object. */
  blocks: readonly (readonly MarkdownNode[])[];
  /** The text after the blocks that is not parsed yet or cannot be; shown as plain text. */
  plain: string;
}

/**
 * Parses a growing text: each time only its last block and what is new. Short pieces are parsed at once; longer ones by
 * the worker thread, and are shown as plain text meanwhile.
 */
export class GrownMarkdown {
  #text = "";
  /** Blocks that no longer change, and the offset of the text after them. */
  #settled: (readonly MarkdownNode[])[] = [];
  #from = 0;
  /** The last block, and the offset of its end. */
  #last: readonly MarkdownNode[] = [];
  #end = 0;
  #isHopeless = false;
  #isReading = false;
  readonly #thread: MarkdownThread;
  readonly #onRead: () => void;

  /** @param onRead called each time that the worker thread has parsed more of the text */
  constructor(thread: MarkdownThread, onRead: () => void) {
    this.#thread = thread;
    this.#onRead = onRead;
  }

  /** Sets the current text. Text that does not continue the previous text is parsed from the beginning. */
  write(text: string): void {
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    this.#read();
  }

  shown(): ShownMarkdown {
    const blocks = this.#last.length > 0 ? [...this.#settled, this.#last] : this.#settled;
    return { blocks, plain: this.#text.slice(this.#end) };
  }

  #restart(): void {
    this.#settled = [];
    this.#last = [];
    this.#from = this.#end = 0;
    this.#isHopeless = false;
  }

  #read(): void {
    if (this.#isReading || this.#isHopeless || this.#end === this.#text.length) return;
    const piece = this.#text.slice(this.#from);
    if (piece.length <= MAX_DIRECT_CHARS) return this.#take(piece, readMarkdown(piece));
    this.#isReading = true;
    const known = this.#text;
    void this.#thread.read(piece).then((read) => {
      this.#isReading = false;
      // The text may have been replaced in the meantime.
      if (this.#text.startsWith(known)) this.#take(piece, read);
      this.#read();
      this.#onRead();
    });
  }

  #take(piece: string, read: ReadMarkdown | undefined): void {
    if (!read?.nodes) {
      this.#isHopeless = true;
      return;
    }
    this.#end = this.#from + piece.length;
    const { nodes, lastBlock } = read;
    if (lastBlock === 0) {
      this.#last = nodes;
      return;
    }
    this.#settled = [...this.#settled, nodes.slice(0, -1)];
    this.#last = nodes.slice(-1);
    this.#from += lastBlock;
  }
}
