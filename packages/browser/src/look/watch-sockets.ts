import type { Page, WebSocket } from "playwright-core";

/** Time limit for a socket to open, in milliseconds; one that opens silently is not reported. */
const OPENING_MS = 700;
/** Time limit for the answer to a message, in milliseconds. */
const ANSWER_MS = 300;
/** Number of unanswered messages after which a socket counts as one that does not answer. */
const UNANSWERED = 2;

/** Sockets on which dev servers announce changed files; the app does not need them. */
const HOT =
  /[?&]token=[\w-]+|\/(?:_next|__webpack|_nuxt|__nuxt|__vite|_vite|sockjs-node|livereload|webpack-hmr|hmr|__hmr|ws|ng-cli-ws)(?:[/?]|-hmr|$)|:(?:24678|35729)\b/;

/**
 * Whether a socket is one of a dev server. Pages choose the addresses, so only the first 2,000 characters are examined
 * (A78).
 */
export const isHot = (url: string) => HOT.test(url.slice(0, 2_000));

export interface Sockets {
  /** Whether one of the app's own sockets is open or opening. */
  any(): boolean;
  /** Resolves when each of the app's own sockets has opened, failed, or timed out. */
  opened(): Promise<void>;
  /** Resolves when sent messages were answered, or will not be. */
  answered(): Promise<void>;
}

interface Known {
  since: number;
  /** Whether data has been sent or received, which shows that the socket is open. */
  open: boolean;
  waits: boolean;
  unanswered: number;
}

/** Tracks the sockets of a page from before it is opened. */
export function watchSockets(page: Page): Sockets {
  const sockets = new Map<WebSocket, Known>();
  let moved = () => {};
  page.on("websocket", (socket) => {
    if (isHot(socket.url())) return;
    const known: Known = { since: performance.now(), open: false, waits: false, unanswered: 0 };
    sockets.set(socket, known);
    socket.on("framereceived", () => {
      Object.assign(known, { open: true, waits: false, unanswered: 0 });
      moved();
    });
    socket.on("framesent", () => Object.assign(known, { open: true, waits: true }));
    const forget = () => {
      sockets.delete(socket);
      moved();
    };
    socket.on("close", forget);
    socket.on("socketerror", forget);
  });

  /** Resolves when `left` returns 0 milliseconds. */
  async function whileLeft(left: () => number): Promise<void> {
    for (let ms = left(); ms > 0; ms = left())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        moved = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    moved = () => {};
  }

  return {
    any: () => sockets.size > 0,
    opened: () =>
      whileLeft(() => {
        const now = performance.now();
        const opening = [...sockets.values()].filter(({ open }) => !open);
        return Math.max(0, ...opening.map(({ since }) => since + OPENING_MS - now));
      }),
    async answered() {
      const until = performance.now() + ANSWER_MS;
      const waiting = () =>
        [...sockets.values()].filter(({ waits, unanswered }) => waits && unanswered < UNANSWERED);
      await whileLeft(() => (waiting().length === 0 ? 0 : until - performance.now()));
      for (const known of waiting()) {
        known.unanswered++;
        known.waits = false;
      }
    },
  };
}
