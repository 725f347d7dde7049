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
  /** When bytes were last seen to move, in milliseconds of the process. */
  since: number;
}

/** A connection is looked at so often within the time that it may be silent. */
const LOOKS = 15;

/**
 * Closes responses that have fallen silent. It compares the connection's byte counts from time to time, so a response that
 * is not silent costs nothing while its bytes go through.
 * @param silentMs how long neither side may send a byte, in milliseconds; a response ends at most a fifteenth later
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
