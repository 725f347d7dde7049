import type { CodedText } from "@treadle/protocol";
import type { TextBacklog } from "@treadle/common";

/** Number of unacknowledged characters after which a page is sent no more. */
export const WINDOW_CHARS = 512 * 1024;
/** Maximum number of characters in one message. */
const PIECE_CHARS = 64 * 1024;
/** A page that is further behind than this skips to the newest output. */
export const BEHIND_CHARS = 1024 * 1024;
/** Number of characters of newest output that are sent then. */
const NEWEST_CHARS = 256 * 1024;
/** Milliseconds without output after which a page that missed some receives the whole stored output. */
const REST_MS = 400;

export type ToPage =
  /**
   * Stored output that replaces everything sent so far; with `goesOn`, it continues the stored output. Terminal queries
   * in it get no answer: the page sends nothing back.
   */
  | { type: "past"; data: string; goesOn?: true | undefined }
  | { type: "data"; data: string }
  /** Listening ports of the project's processes. */
  | { type: "ports"; ports: number[] }
  | { type: "exit"; code: number }
  | { type: "error"; message: string; messageCode?: CodedText | undefined };

/**
 * Sends a terminal's output to one page at the speed at which the page draws it. A page that falls far behind skips
 * output and receives the newest (F19), and the whole stored output once the program is quiet. Neither the program nor
 * other pages wait for a slow page, and the buffer is bounded.
 */
export function createPacedSender(options: {
  send(message: ToPage, sent: () => void): void;
  /** Number of characters queued in the socket. */
  waiting(): number;
  text: TextBacklog;
}): {
  /** Call when there is new output, and at the start. */
  more(): void;
  /**
   * Call when the page has drawn this many characters. A client that never reports it is paced by
   * its socket only.
   */
  drawn(characters: number): void;
  /**
   * Call when there is no more output.
   * @param then called when everything was sent
   */
  finish(then: () => void): void;
  close(): void;
} {
  const { text } = options;
  let undrawn = 0;
  let tells = false;
  /** Position of the next output to send. Output before `live` was printed earlier. */
  let next = text.begin;
  let live = text.end;
  let goesOn = false;
  let missed = false;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let finished: (() => void) | undefined;

  const pressure = () => Math.max(options.waiting(), tells ? undrawn : 0);
  const showFrom = (place: number) => {
    next = place;
    live = text.end;
    goesOn = false;
  };

  function skip(): void {
    const behind = text.end - Math.max(next, live);
    if (behind <= BEHIND_CHARS && next >= text.begin) return;
    const newest = Math.max(text.begin, text.end - NEWEST_CHARS);
    const line = newest === text.begin ? -1 : text.slice(newest, PIECE_CHARS).indexOf("\n");
    showFrom(newest + line + 1);
    missed = next > text.begin;
  }

  function pump(): void {
    if (closed) return;
    skip();
    while (next < text.end && pressure() < WINDOW_CHARS) {
      const isPast = next < live;
      const data = text.slice(next, isPast ? Math.min(PIECE_CHARS, live - next) : PIECE_CHARS);
      next += data.length;
      undrawn += data.length;
      const message: ToPage = isPast
        ? { type: "past", data, ...(goesOn ? { goesOn } : {}) }
        : { type: "data", data };
      goesOn = true;
      options.send(message, pump);
    }
    if (next < text.end || !finished) return;
    closed = true;
    finished();
  }

  function waitForRest(): void {
    clearTimeout(rest);
    rest = missed ? setTimeout(showAll, REST_MS).unref() : undefined;
  }

  function showAll(): void {
    rest = undefined;
    if (closed) return;
    if (next < text.end || pressure() > PIECE_CHARS) return waitForRest();
    missed = false;
    showFrom(text.begin);
    pump();
  }

  return {
    more() {
      pump();
      waitForRest();
    },
    drawn(characters) {
      tells = true;
      undrawn = Math.max(0, undrawn - characters);
      pump();
      if (missed && rest === undefined) waitForRest();
    },
    finish(then) {
      finished = then;
      pump();
    },
    close() {
      closed = true;
      clearTimeout(rest);
    },
  };
}
