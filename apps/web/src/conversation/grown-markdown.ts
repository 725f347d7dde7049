import type { MarkdownNode } from "@treadle/protocol/markdown";
import type { MarkdownThread } from "./markdown-thread.ts";
import { readMarkdown, type ReadMarkdown } from "./read-markdown.ts";

/** Characters that are read at once, on the page's own thread: the worst of so few take some milliseconds. */
const MAX_DIRECT_CHARS = 2_000;

/** What is shown of a text. */
export interface ShownMarkdown {
  /** Blocks that were read, in their order. A block that no longer changes stays the same object. */
  blocks: readonly (readonly MarkdownNode[])[];
  /** The text after them, which is not read yet or cannot be: it is shown as it is. */
  plain: string;
}

/**
 * Reads a text that grows: each time only its last block and what is new. Short pieces are read at once; longer ones by the
 * thread, and are shown as plain text meanwhile.
 */
export class GrownMarkdown {
  #text = "";
  /** Blocks that no longer change, and where the text behind them begins. */
  #settled: (readonly MarkdownNode[])[] = [];
  #from = 0;
  /** The last block, and where it ends. */
  #last: readonly MarkdownNode[] = [];
  #end = 0;
  #isHopeless = false;
  #isReading = false;
  readonly #thread: MarkdownThread;
  readonly #onRead: () => void;

  /** @param onRead called when the thread has read more of the text */
  constructor(thread: MarkdownThread, onRead: () => void) {
    this.#thread = thread;
    this.#onRead = onRead;
  }

  /** Sets the text as it is now. Text that does not continue the text before it is read anew. */
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
      // The text may have been replaced meanwhile.
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
