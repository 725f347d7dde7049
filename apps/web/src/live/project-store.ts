import type { LogEntry } from "@treadle/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { eventPaths } from "../api/projects.ts";
import type { ApiFailure } from "../api/request.ts";
import { emptyView, fold } from "../fold/fold.ts";
import type { ProjectView } from "../fold/types.ts";
import { isLoopback } from "../ui/loopback.ts";
import { createPacedQueue } from "./paced-queue.ts";
import { openLine } from "./line.ts";
import type { Line } from "./line-types.ts";
import { createPace } from "./pace.ts";

type Connection = "connecting" | "live" | "lost" | "refused";

export interface LiveProject {
  view: ProjectView;
  connection: Connection;
  /** The newest turns alone, while a long log is read: shown until it is read up to them. */
  latest?: ProjectView | undefined;
  /** Why there is no stream, where the server said so: it is not asked again until somebody comes back to the page. */
  refused?: ApiFailure;
  /** Whether anything of the log came yet: before that an empty conversation is not an empty project. */
  loaded: boolean;
}

/** A connection that broke is made again after this long, doubling up to the limit. */
const AGAIN_MS = 1000;
const AGAIN_LIMIT_MS = 15_000;
/** A project that was deleted can be put back for so long. */
const GONE_MS = 10 * 60_000;
/** A project without any entry counts as read when the stream has been open for this long. */
const EMPTY_MS = 400;
/** Less than a page of the log: there is no more of it for now. */
const SHORT_PAGE = 100;
/** A page that is followed by nothing for so long was the last one. */
const REST_MS = 100;
/** The same where something is shown already: a page that is behind would only fall further behind by drawing each. */
const BEHIND_MS = 500;
/** Something is shown by then, however much is still to come; and again after as long, not page by page. */
const HELD_MS = 2_000;
/** The server says something every 15 s: what is silent for so long is dead, though nobody said so (sleep, a changed network). */
const SILENT_MS = 45_000;
/** Answers that do not change by asking again. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);

export interface LiveProjectHandle {
  project: string;
  store: StoreApi<LiveProject>;
  /** Opens the stream; returns what closes it. It may be started again, and goes on where it was. */
  start: () => () => void;
}

/**
 * A project's log, folded. It comes over a WebSocket, since of event streams a browser has six at once for all of
 * its windows, and as such a stream where no socket comes through. It is asked for from the last entry on, and the fold passes over what it knows.
 */
export function createLiveProject(project: string): LiveProjectHandle {
  const store = createStore<LiveProject>(() => ({
    view: emptyView(),
    connection: "connecting",
    loaded: false,
  }));
  return { project, store, start: () => follow(project, store) };
}

function follow(project: string, store: StoreApi<LiveProject>): () => void {
  const queue = createPacedQueue<LogEntry>((entries) => {
    const { view, latest } = store.getState();
    const read = fold(view, entries);
    // The newest turns stay until it has come to them: what is older would be shown in their place.
    const isBehind = !isRead && latest !== undefined && read.seq < latest.seq;
    store.setState({ view: read, loaded: !isBehind, latest: isBehind ? latest : undefined });
  }, createPace());
  /** What came of the log before it was read to its end: a long one is drawn once, not page by page. */
  let held: LogEntry[] = [];
  let isRead = false;
  let holding: ReturnType<typeof setTimeout> | undefined;
  let heldSince = 0;
  const release = () => {
    clearTimeout(holding);
    const entries = held;
    held = [];
    queue.push(entries);
  };
  const take = (entries: LogEntry[]) => {
    if (isRead) return queue.push(entries);
    if (held.length === 0) heldSince = performance.now();
    for (const entry of entries) held.push(entry);
    clearTimeout(holding);
    isRead = entries.length < SHORT_PAGE;
    const left = HELD_MS - (performance.now() - heldSince);
    const rest = store.getState().loaded ? BEHIND_MS : REST_MS;
    if (isRead || left <= 0) release();
    else holding = setTimeout(release, Math.min(left, rest));
  };
  let line: Line;
  let again: ReturnType<typeof setTimeout> | undefined;
  let empty: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  let wait = AGAIN_MS;
  let goneSince: number | undefined;
  let isClosed = false;

  const askLater = () => {
    again = setTimeout(open, wait);
    wait = Math.min(wait * 2, AGAIN_LIMIT_MS);
  };
  const later = () => {
    store.setState({ connection: "lost" });
    askLater();
  };
  const back = () => {
    globalThis.removeEventListener("focus", back);
    store.setState({ connection: "connecting", refused: undefined });
    open();
  };
  const lost = (failure?: ApiFailure) => {
    if (isClosed) return;
    // It goes on after what was shown.
    clearTimeout(holding);
    held = [];
    isRead = false;
    clearTimeout(empty);
    clearTimeout(silent);
    if (failure === undefined || !REFUSALS.has(failure.status)) return later();
    store.setState({ connection: "refused", refused: failure });
    // One may have signed in in another window; a project that was deleted may be put back.
    if (failure.status !== 404) globalThis.addEventListener("focus", back);
    else if (performance.now() - (goneSince ??= performance.now()) < GONE_MS) askLater();
  };

  const open = () => {
    const opened = openLine(eventPaths(project, store.getState().view.seq), {
      onOpen() {
        wait = AGAIN_MS;
        goneSince = undefined;
        store.setState({ connection: "live", refused: undefined });
        empty = setTimeout(() => {
          const { latest } = store.getState();
          if (held.length === 0 && !latest) store.setState({ loaded: true });
        }, EMPTY_MS);
      },
      onAlive: () => alive(),
      onMessage(message) {
        const received = JSON.parse(message) as LogEntry[] | { latest: LogEntry[] } | "reset";
        if (Array.isArray(received)) return received.length > 0 ? take(received) : undefined;
        if (received !== "reset") {
          if (!store.getState().loaded)
            store.setState({ latest: fold(emptyView(), received.latest) });
          return;
        }
        // The server knows less than this page does: its data is another. Everything is read again.
        clearTimeout(holding);
        held = [];
        isRead = false;
        queue.clear();
        store.setState({ view: emptyView() });
      },
      onEnd: lost,
    });
    line = opened;
    let heard = performance.now();
    // Asked for with every message: a timer that is set anew each time costs as much as the message.
    const alive = () => void (heard = performance.now());
    const listen = () => {
      const left = heard + SILENT_MS - performance.now();
      if (left > 0) silent = setTimeout(listen, left);
      else {
        opened.close();
        lost();
      }
    };
    listen();
  };
  open();

  /** The network is gone: an open connection says so itself only when it has been silent for long. */
  const offline = () => {
    // A server on the same machine is there without any network.
    if (isLoopback(location.hostname)) return;
    const { connection } = store.getState();
    if (connection !== "live" && connection !== "connecting") return;
    line.close();
    lost();
  };
  const online = () => {
    if (store.getState().connection !== "lost") return;
    // One may be under way that nobody answers.
    clearTimeout(again);
    clearTimeout(silent);
    line.close();
    wait = AGAIN_MS;
    open();
  };
  globalThis.addEventListener("offline", offline);
  globalThis.addEventListener("online", online);

  return () => {
    isClosed = true;
    globalThis.removeEventListener("focus", back);
    globalThis.removeEventListener("offline", offline);
    globalThis.removeEventListener("online", online);
    clearTimeout(again);
    clearTimeout(empty);
    clearTimeout(silent);
    clearTimeout(holding);
    line.close();
    queue.clear();
  };
}
