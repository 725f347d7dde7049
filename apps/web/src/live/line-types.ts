import type { ApiFailure } from "../api/request.ts";

/** A bidirectional connection to the server. */
export interface Line {
  /** Sends a message, which is lost if the connection is a WebSocket that is not open yet. */
  send(message: string): void;
  /** Closes it; no listener is called afterwards. */
  close(): void;
}

export interface LineListeners {
  onOpen(): void;
  /** Called for anything received, including keep-alives. */
  onAlive(): void;
  onMessage(message: string): void;
  /** Called once when it ends, with the server's reason if there is one. */
  onEnd(failure: ApiFailure | undefined): void;
}
