import type { ApiFailure } from "../api/request.ts";

/** A connection to the server that goes both ways. */
export interface Line {
  /** On a socket that is not open yet it is lost. */
  send(message: string): void;
  /** Nothing is heard of it any more. */
  close(): void;
}

export interface LineListeners {
  onOpen(): void;
  /** Anything came, be it only a sign of life. */
  onAlive(): void;
  onMessage(message: string): void;
  /** It is over; said once. With the server's reason where it gave one. */
  onEnd(failure: ApiFailure | undefined): void;
}
