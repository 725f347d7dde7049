import type { LogEntry } from "@treadle/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { eventsAddress } from "../api/projects.ts";
import { emptyView, fold } from "../fold/fold.ts";
import type { ProjectView } from "../fold/types.ts";
import { createFrameQueue } from "./frame-queue.ts";
import { createPace } from "./pace.ts";

type Connection = "connecting" | "live" | "lost";

export interface LiveProject {
  view: ProjectView;
  connection: Connection;
  /** Whether anything of the log came yet: before that an empty conversation is not an empty project. */
  loaded: boolean;
}

/** A closed source (an error answer) is opened again after this long, doubling up to the limit. */
const AGAIN_MS = 1000;
const AGAIN_LIMIT_MS = 15_000;
/** A project without any entry counts as read when the stream has been open for this long. */
const EMPTY_MS = 400;

export interface LiveProjectHandle {
  project: string;
  store: StoreApi<LiveProject>;
  /** Opens the stream; returns what closes it. It may be started again, and goes on where it was. */
  start: () => () => void;
}

/** A project's log, folded. The browser itself reconnects with the last id; the fold passes over what it knows. */
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
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  let empty: ReturnType<typeof setTimeout> | undefined;
  let wait = AGAIN_MS;

  const open = () => {
    const { seq } = store.getState().view;
    source = new EventSource(eventsAddress(project, seq));
    source.addEventListener("open", () => {
      wait = AGAIN_MS;
      store.setState({ connection: "live" });
      empty = setTimeout(() => store.setState({ loaded: true }), EMPTY_MS);
    });
    source.addEventListener("message", (message: MessageEvent<string>) => {
      queue.push(JSON.parse(message.data) as LogEntry[]);
    });
    // The server knows less than this page does: its data is another. Everything is read again.
    source.addEventListener("reset", () => {
      queue.clear();
      store.setState({ view: emptyView() });
    });
    source.addEventListener("error", () => {
      store.setState({ connection: "lost" });
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(again);
      again = setTimeout(open, wait);
      wait = Math.min(wait * 2, AGAIN_LIMIT_MS);
    });
  };
  open();

  return () => {
    clearTimeout(again);
    clearTimeout(empty);
    source.close();
    queue.clear();
  };
}
