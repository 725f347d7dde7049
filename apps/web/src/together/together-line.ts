import type { TogetherFromPage, TogetherToPage } from "@treadle/protocol";
import { useTogether, type TogetherLine } from "./together-store.ts";

/** Milliseconds before the first and between later attempts to reconnect. */
const RETRY_MS = { first: 500, most: 10_000 };

type Listener = Parameters<TogetherLine["follow"]>[1];

/** Connects the page to the others in the project, and fills `useTogether`. @returns a function that disconnects */
export function connectTogether(project: string, place: () => TogetherFromPage): () => void {
  const listeners = new Map<string, Set<Listener>>();
  const all = () => [...listeners.values()].flatMap((some) => [...some]);
  let socket: WebSocket | undefined;
  let retryMs = RETRY_MS.first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const isOpen = () => socket?.readyState === WebSocket.OPEN;

  const line: TogetherLine = {
    send(message) {
      if (isOpen()) socket?.send(JSON.stringify(message));
    },
    get isOpen() {
      return isOpen();
    },
    follow(path, listener) {
      const some = listeners.get(path) ?? new Set();
      listeners.set(path, some.add(listener));
      if (isOpen()) listener.onOpen();
      return () => {
        some.delete(listener);
        if (some.size > 0) return;
        listeners.delete(path);
        line.send({ type: "close", path });
      };
    },
  };

  function take(message: TogetherToPage): void {
    if (message.type === "people")
      return useTogether.setState({ you: message.you, people: message.people });
    for (const { onMessage } of listeners.get(message.path) ?? []) onMessage(message);
  }

  function connect(): void {
    const { protocol, host } = location;
    const scheme = protocol === "https:" ? "wss:" : "ws:";
    const path = `/api/projects/${encodeURIComponent(project)}/together`;
    const opening = new WebSocket(`${scheme}//${host}${path}`);
    socket = opening;
    opening.addEventListener("open", () => {
      retryMs = RETRY_MS.first;
      line.send(place());
      // The first connection decides whether files are edited together at all.
      useTogether.setState({ line });
      for (const { onOpen } of all()) onOpen();
    });
    opening.addEventListener("message", ({ data }: MessageEvent<string>) =>
      take(JSON.parse(data) as TogetherToPage),
    );
    opening.addEventListener("close", () => {
      if (isOver) return;
      useTogether.setState({ people: [] });
      for (const { onLost } of all()) onLost();
      timer = setTimeout(connect, retryMs);
      retryMs = Math.min(2 * retryMs, RETRY_MS.most);
    });
  }

  connect();
  return () => {
    isOver = true;
    clearTimeout(timer);
    socket?.close();
    useTogether.setState({ line: undefined, you: undefined, people: [] });
  };
}
