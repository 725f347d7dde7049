import type { ReadMarkdown } from "./read-markdown.ts";

/** Time limit for one text, in milliseconds. An ordinary one takes a few. */
const LIMIT_MS = 2_000;
/** Time limit for the thread to start, in milliseconds. */
const START_MS = 30_000;

/** The parts of Worker that are used, so that tests can replace it. */
export type MarkdownWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

const startWorker = (): MarkdownWorker =>
  new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });

/** A worker thread that parses texts one after the other. */
export interface MarkdownThread {
  /** Parses a text. Resolves with undefined if that takes too long or fails; the text is then shown as plain text. */
  read(text: string): Promise<ReadMarkdown | undefined>;
}

/**
 * Creates a thread that starts with its first text. A text that takes too long terminates the thread; the next text
 * starts another.
 * @param limitMs time limit for one text, once the thread runs
 */
export function createMarkdownThread(start = startWorker, limitMs = LIMIT_MS): MarkdownThread {
  let worker: MarkdownWorker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function perform(text: string): Promise<ReadMarkdown | undefined> {
    return new Promise((resolve) => {
      const isNew = worker === undefined;
      const thread = (worker ??= start());
      let timer = setTimeout(end, isNew ? START_MS : limitMs);
      function end() {
        clearTimeout(timer);
        thread.terminate();
        worker = undefined;
        resolve(undefined);
      }
      thread.onerror = end;
      thread.onmessage = ({ data }: MessageEvent<"ready" | ReadMarkdown>) => {
        clearTimeout(timer);
        if (data === "ready") timer = setTimeout(end, limitMs);
        else resolve(data);
      };
      thread.postMessage(text);
    });
  }

  return {
    read(text) {
      const reading = last.then(() => perform(text)).catch(() => undefined);
      last = reading;
      return reading;
    },
  };
}
