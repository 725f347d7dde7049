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
  /** The newest turns of a long log, shown until the whole log has loaded. */
  latest?: ProjectView | undefined;
  /**
   * Why the server refused the stream. It is requested again when the person returns to the page, or, for a deleted
   * project, repeatedly for as long as the project can be restored.
   */
  refused?: ApiFailure;
  /** Whether any of the log has arrived; until then, an empty conversation does not mean an empty project. */
  loaded: boolean;
}

/** Delay before reconnecting, doubled up to the limit. */
const RECONNECT_MS = 1000;
const AGAIN_LIMIT_MS = 15_000;
/** Milliseconds for which a deleted project can be restored: `UNDO_MS` of the server's `runtimes.ts`. */
const RESTORABLE_MS = 10 * 60_000;
/** A project without entries counts as loaded after the stream has been open this long. */
const EMPTY_MS = 400;
/** A page of the log with fewer entries than this is the last one for now. */
const SHORT_PAGE_ENTRIES = 100;
/** A page of the log that nothing follows for this long was the last one. */
const REST_MS = 100;
/** `REST_MS` while something is already shown: drawing every page of the log would make a slow browser fall behind. */
const BEHIND_MS = 500;
/**
 * Shows what has arrived after this long, however much is missing, and again after each such period rather than per
 * page.
 */
const HELD_MS = 2_000;
/**
 * The server sends something every 15 s; a connection silent for this long is dead even if no error was reported
 * (sleep, a changed network).
 */
const SILENT_MS = 45_000;
/** Statuses that do not change on a retry. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);

export interface LiveProjectHandle {
  project: string;
  store: StoreApi<LiveProject>;
  /** Opens the stream; returns a function that closes it. May be started again, and then continues. */
  start: () => () => void;
}

/**
 * Follows a project's log and folds it. Uses a WebSocket, because a browser allows only six event streams for all its
 * windows, and an event stream if no socket gets through. Requests only entries after the last one; the fold skips
 * known ones.
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
    // Keeps showing the newest turns until loading has reached them; older ones would replace them.
    const isBehind = !isRead && latest !== undefined && read.seq < latest.seq;
    store.setState({ view: read, loaded: !isBehind, latest: isBehind ? latest : undefined });
  }, createPace());
  /** Entries held back until the log is loaded, so that a long one is drawn once rather than per page. */
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
    isRead = entries.length < SHORT_PAGE_ENTRIES;
    const remainingMs = HELD_MS - (performance.now() - heldSince);
    const rest = store.getState().loaded ? BEHIND_MS : REST_MS;
    if (isRead || remainingMs <= 0) release();
    else holding = setTimeout(release, Math.min(remainingMs, rest));
  };
  let line: Line;
  let again: ReturnType<typeof setTimeout> | undefined;
  let empty: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  let wait = RECONNECT_MS;
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
    // Continues after the entries already shown.
    clearTimeout(holding);
    held = [];
    isRead = false;
    clearTimeout(empty);
    clearTimeout(silent);
    if (failure === undefined || !REFUSALS.has(failure.status)) return later();
    store.setState({ connection: "refused", refused: failure });
    // The person may sign in in another window; a deleted project may be restored.
    if (failure.status !== 404) globalThis.addEventListener("focus", back);
    else if (performance.now() - (goneSince ??= performance.now()) < RESTORABLE_MS) askLater();
  };

  const open = () => {
    const opened = openLine(eventPaths(project, store.getState().view.seq), {
      onOpen() {
        wait = RECONNECT_MS;
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
        // The server has fewer entries than this page, so its data was replaced. Everything is loaded again.
        clearTimeout(holding);
        held = [];
        isRead = false;
        queue.clear();
        store.setState({ view: emptyView() });
      },
      onEnd: lost,
    });
    line = opened;
    let lastMessageAt = performance.now();
    // Called at every message, and resetting a timer would cost as much as the message itself.
    const alive = () => void (lastMessageAt = performance.now());
    const listen = () => {
      const remainingMs = lastMessageAt + SILENT_MS - performance.now();
      if (remainingMs > 0) silent = setTimeout(listen, remainingMs);
      else {
        opened.close();
        lost();
      }
    };
    listen();
  };
  open();

  /** Handles the loss of the network, which an open connection would notice only after a long silence. */
  const offline = () => {
    // A server on the same machine needs no network.
    if (isLoopback(location.hostname)) return;
    const { connection } = store.getState();
    if (connection !== "live" && connection !== "connecting") return;
    line.close();
    lost();
  };
  const online = () => {
    if (store.getState().connection !== "lost") return;
    // A pending request may never be answered.
    clearTimeout(again);
    clearTimeout(silent);
    line.close();
    wait = RECONNECT_MS;
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
