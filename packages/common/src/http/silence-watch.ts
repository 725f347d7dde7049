import type { ServerResponse } from "node:http";

export interface SilenceWatch {
  /**
   * Closes the response's connection once no byte has moved on it, in either direction, for the watch's time.
   * @returns a function that ends the watching
   */
  add(response: ServerResponse): () => void;
}

interface Watched {
  response: ServerResponse;
  bytes: number;
  /** When data last moved on the connection, in milliseconds since the process started. */
  since: number;
}

/** Number of checks within the time of silence. */
const LOOKS = 15;

/**
 * Closes silent responses. It compares byte counts from time to time, so active responses cost
 * nothing.
 * @param silentMs how long neither side may send data, in milliseconds; a response ends at most a
 * fifteenth later
 */
export function createSilenceWatch(silentMs: number): SilenceWatch {
  const all = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const watched of all) {
      const bytes = bytesOf(watched.response);
      if (bytes !== watched.bytes) Object.assign(watched, { bytes, since: now });
      else if (now - watched.since >= silentMs) watched.response.destroy();
    }
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(response) {
      const watched = { response, bytes: bytesOf(response), since: performance.now() };
      all.add(watched);
      timer ??= setInterval(look, silentMs / LOOKS).unref();
      return () => void all.delete(watched);
    },
  };
}

function bytesOf({ socket }: ServerResponse): number {
  return (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0);
}
