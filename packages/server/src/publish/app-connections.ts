import type { Duplex } from "node:stream";
import { createSemaphore } from "../common/semaphore.ts";
import { AppConnection } from "./app-connection.ts";

/**
 * Requests that an app has at the same time, and connections to it, those that wait for the next request among them: with its
 * sockets, as many as lead into a sandbox.
 */
const AT_ONCE = 192;
/** So long one more waits for its turn, in milliseconds. */
const TURN_MS = 10_000;

/**
 * Connections to an app, used again: making one goes through its sandbox and costs more than most answers. Only for
 * requests that may be made twice, since a server may close a connection just as the next request is written to it
 * (RFC 9112, 9.3.1).
 */
export interface AppConnections {
  /** Comes first. Resolves when a request may go to the app, with what is to be called after its answer. Rejects when that takes too long. */
  turn(): Promise<() => void>;
  /** One that is free, else a new one. */
  any(): AppConnection;
  /** A new one. */
  fresh(): AppConnection;
}

export function createAppConnections(connect: () => Promise<Duplex>): AppConnections {
  /** The one that was used last is the last to be closed by the app. */
  const free: AppConnection[] = [];
  let open = 0;

  function fresh(): AppConnection {
    if (open >= AT_ONCE) free.shift()?.close();
    open++;
    return new AppConnection(
      connect,
      (connection) => free.push(connection),
      (connection) => {
        open--;
        const index = free.indexOf(connection);
        if (index !== -1) free.splice(index, 1);
      },
    );
  }

  const turns = createSemaphore(AT_ONCE);
  let going = 0;

  return {
    async turn() {
      const signal = ++going > AT_ONCE ? AbortSignal.timeout(TURN_MS) : undefined;
      try {
        const over = await turns.take(signal);
        let isOver = false;
        return () => {
          if (isOver) return;
          isOver = true;
          going--;
          over();
        };
      } catch (error) {
        going--;
        throw error;
      }
    },
    any: () => free.pop() ?? fresh(),
    fresh,
  };
}
