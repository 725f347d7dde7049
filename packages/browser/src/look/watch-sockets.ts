import type { Page, WebSocket } from "playwright-core";

/** Milliseconds for a socket to say whether it opens: one that opens and is silent says nothing. */
const OPENING_MS = 700;
/** Milliseconds that a word which went out is given to be answered. */
const ANSWER_MS = 300;
/** Words without an answer, after which a socket is one that does not answer. */
const UNANSWERED = 2;

/** Sockets by which dev servers tell of changed files: they are not the app's, and it does without them. */
const HOT =
  /[?&]token=[\w-]+|\/(?:_next|__webpack|_nuxt|__nuxt|__vite|_vite|sockjs-node|livereload|webpack-hmr|hmr|__hmr|ws|ng-cli-ws)(?:[/?]|-hmr|$)|:(?:24678|35729)\b/;

/** A page names its sockets as it likes: their first 2,000 characters say enough (A78). */
export const isHot = (url: string) => HOT.test(url.slice(0, 2_000));

export interface Sockets {
  /** Whether one of the app's own is open, or being opened. */
  any(): boolean;
  /** Resolves when each of the app's own has opened, failed, or had its time. */
  opened(): Promise<void>;
  /** Resolves when what went out was answered, or will not be. */
  answered(): Promise<void>;
}

interface Known {
  since: number;
  /** It was heard of: it is open. */
  open: boolean;
  waits: boolean;
  unanswered: number;
}

/** Follows the sockets of a page, from before it is opened. */
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

  /** Resolves when `left` says 0 milliseconds. */
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
