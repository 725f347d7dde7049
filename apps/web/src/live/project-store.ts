import type { LogEntry } from "@treadle/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { eventsAddress, readProject } from "../api/projects.ts";
import { ApiFailure } from "../api/request.ts";
import { emptyView, fold } from "../fold/fold.ts";
import type { ProjectView } from "../fold/types.ts";
import { createFrameQueue } from "./frame-queue.ts";
import { createPace } from "./pace.ts";

type Connection = "connecting" | "live" | "lost" | "refused";

export interface LiveProject {
  view: ProjectView;
  connection: Connection;
  /** Why there is no stream, where the server said so: it is not asked again until somebody comes back to the page. */
  refused?: ApiFailure;
  /** Whether the log was read as far as it went when it was asked for: before that nothing of it is shown. */
  loaded: boolean;
}

/** A connection that broke is made again after this long, doubling up to the limit. */
const AGAIN_MS = 1000;
const AGAIN_LIMIT_MS = 15_000;
/** Where the end of what was there does not come, what came is shown when nothing more has come for this long. */
const ENOUGH_MS = 3000;
/** A line is asked for so long, when the browser says that it has none. */
const ASK_MS = 3000;
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
 * A project's log, folded. It comes over a WebSocket: of event streams a browser has six at once for all of its
 * windows. It is asked for from the last entry on, and the fold passes over what it knows.
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
  /** What has been is folded and not shown: an old "Working" would flash by. */
  let folded = store.getState().view;
  /** The newest entry that there was when the log was asked for; not known until it is told. */
  let head = Infinity;
  const show = () => {
    clearTimeout(empty);
    head = 0;
    store.setState({ view: folded, loaded: true });
  };
  const queue = createFrameQueue<LogEntry>((entries) => {
    folded = fold(folded, entries);
    if (folded.seq >= head) show();
  }, createPace());
  let socket: WebSocket;
  let again: ReturnType<typeof setTimeout> | undefined;
  let empty: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  let wait = AGAIN_MS;
  let over = false;
  /** Gives the line up that there is now. */
  let drop: (() => void) | undefined;

  const later = () => {
    store.setState({ connection: "lost" });
    again = setTimeout(open, wait);
    wait = Math.min(wait * 2, AGAIN_LIMIT_MS);
  };
  const back = () => {
    globalThis.removeEventListener("focus", back);
    store.setState({ connection: "connecting", refused: undefined });
    open();
  };
  /** A browser does not say why a handshake failed: a line that is broken looks like a project that is gone. */
  const askWhy = async () => {
    try {
      await readProject(project);
    } catch (error) {
      if (over) return;
      if (error instanceof ApiFailure && REFUSALS.has(error.status)) {
        store.setState({ connection: "refused", refused: error });
        // A project that is gone stays gone; one may have signed in in another window.
        if (error.status !== 404) globalThis.addEventListener("focus", back);
        return;
      }
    }
    if (!over) later();
  };

  const open = () => {
    const mine = new WebSocket(eventsAddress(project, folded.seq));
    socket = mine;
    head = Infinity;
    let gone = false;
    let opened = false;
    const lost = () => {
      if (gone || over) return;
      gone = true;
      mine.close();
      clearTimeout(empty);
      clearTimeout(silent);
      if (opened) later();
      else void askWhy();
    };
    const alive = () => {
      clearTimeout(silent);
      silent = setTimeout(lost, SILENT_MS);
    };
    alive();
    mine.addEventListener("open", () => {
      if (gone || over) return;
      opened = true;
      wait = AGAIN_MS;
      store.setState({ connection: "live" });
      empty = setTimeout(show, ENOUGH_MS);
    });
    mine.addEventListener("message", (message: MessageEvent<string>) => {
      if (gone || over) return;
      alive();
      const told = JSON.parse(message.data) as LogEntry[] | "reset" | { head: number };
      if (told === "reset") {
        // The server knows less than this page does: its data is another. Everything is read again.
        queue.clear();
        folded = emptyView();
        return store.setState({ view: folded, loaded: false });
      }
      if (!Array.isArray(told)) {
        head = told.head;
        return folded.seq >= head ? show() : undefined;
      }
      if (told.length === 0) return;
      if (head > 0) {
        clearTimeout(empty);
        empty = setTimeout(show, ENOUGH_MS);
      }
      queue.push(told);
    });
    mine.addEventListener("close", lost);
    drop = lost;
  };
  open();
  /** The browser has no line: the server may be reached all the same, on this very machine. */
  const ask = async () => {
    const mine = drop;
    try {
      await readProject(project, AbortSignal.timeout(ASK_MS));
    } catch (error) {
      const isAnswer = error instanceof ApiFailure && error.status > 0;
      if (!isAnswer) mine?.();
    }
  };
  /** It has one again: it is not waited for longer. */
  const hurry = () => {
    if (store.getState().connection !== "lost") return;
    clearTimeout(again);
    wait = AGAIN_MS;
    open();
  };
  globalThis.addEventListener("offline", ask);
  globalThis.addEventListener("online", hurry);

  return () => {
    over = true;
    globalThis.removeEventListener("offline", ask);
    globalThis.removeEventListener("online", hurry);
    globalThis.removeEventListener("focus", back);
    clearTimeout(again);
    clearTimeout(empty);
    clearTimeout(silent);
    socket.close();
    queue.clear();
  };
}
