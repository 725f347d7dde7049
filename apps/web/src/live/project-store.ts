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
  /** Whether anything of the log came yet: before that an empty conversation is not an empty project. */
  loaded: boolean;
}

/** A connection that broke is made again after this long, doubling up to the limit. */
const AGAIN_MS = 1000;
const AGAIN_LIMIT_MS = 15_000;
/** A project without any entry counts as read when the stream has been open for this long. */
const EMPTY_MS = 400;
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
  const queue = createFrameQueue<LogEntry>((entries) => {
    const { view } = store.getState();
    store.setState({ view: fold(view, entries), loaded: true });
  }, createPace());
  let socket: WebSocket;
  let again: ReturnType<typeof setTimeout> | undefined;
  let empty: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  let wait = AGAIN_MS;
  let over = false;

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
    const mine = new WebSocket(eventsAddress(project, store.getState().view.seq));
    socket = mine;
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
      empty = setTimeout(() => store.setState({ loaded: true }), EMPTY_MS);
    });
    mine.addEventListener("message", (message: MessageEvent<string>) => {
      if (gone || over) return;
      alive();
      const told = JSON.parse(message.data) as LogEntry[] | "reset";
      if (told !== "reset") return told.length > 0 ? queue.push(told) : undefined;
      // The server knows less than this page does: its data is another. Everything is read again.
      queue.clear();
      store.setState({ view: emptyView() });
    });
    mine.addEventListener("close", lost);
  };
  open();

  return () => {
    over = true;
    globalThis.removeEventListener("focus", back);
    clearTimeout(again);
    clearTimeout(empty);
    clearTimeout(silent);
    socket.close();
    queue.clear();
  };
}
