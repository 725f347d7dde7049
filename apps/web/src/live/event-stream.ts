import { createParser } from "eventsource-parser";
import { ApiFailure, failureOf } from "../api/request.ts";
import { words } from "../words/words.ts";

export interface StreamListeners {
  /** Called once the server has answered. */
  onOpen(): void;
  /** Called for anything received, including keep-alives. */
  onAlive(): void;
  /** Called for each event. @param kind the event's name; `message` for an event without a name */
  onEvent(kind: string, data: string): void;
  /** Called once when the stream ends or could not be opened; not after `close`. */
  onEnd(failure: ApiFailure | undefined): void;
}

/** Reads server-sent events with `fetch`, which, unlike `EventSource`, reports errors and keep-alives. */
export function readEvents(path: string, listeners: StreamListeners): { close(): void } {
  const abort = new AbortController();
  const parser = createParser({
    onEvent: ({ event, data }) => listeners.onEvent(event ?? "message", data),
  });

  async function read(): Promise<ApiFailure | undefined> {
    const response = await fetch(path, {
      credentials: "same-origin",
      headers: { accept: "text/event-stream" },
      signal: abort.signal,
    });
    if (!response.ok) return failureOf(response);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
      return new ApiFailure(0, "offline", words.api.unreachable);
    listeners.onOpen();
    const text = response.body!.pipeThrough(new TextDecoderStream());
    for await (const piece of text) {
      if (abort.signal.aborted) return undefined;
      listeners.onAlive();
      parser.feed(piece);
    }
    return undefined;
  }

  void read()
    .catch(() => new ApiFailure(0, "offline", words.api.unreachable))
    .then((failure) => {
      if (!abort.signal.aborted) listeners.onEnd(failure);
    });
  return { close: () => abort.abort() };
}
