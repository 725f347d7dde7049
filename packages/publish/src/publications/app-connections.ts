import type { Duplex } from "node:stream";
import { createSemaphore, type Semaphore } from "@treadle/common";
import { AppConnection } from "./app-connection.ts";

/**
 * Requests that an app has at the same time, and connections to it, those that wait for the next request among them: with its
 * sockets, as many as lead into a sandbox.
 */
const AT_ONCE = 192;
/** Of these, as many as one client may have: whoever follows streams without end leaves turns to others. */
const OF_ONE_CLIENT = 144;
/** So long one more waits for its turn, in milliseconds. */
const TURN_MS = 10_000;

/**
 * Connections to an app, used again: making one goes through its sandbox and costs more than most answers. Only for
 * requests that may be made twice, since a server may close a connection just as the next request is written to it
 * (RFC 9112, 9.3.1).
 */
export interface AppConnections {
  /**
   * Comes first. Resolves when a request may go to the app, with what is to be called after its answer. Rejects when that
   * takes too long.
   * @param client who asks: one client has three quarters of the turns at most
   */
  turn(client: string): Promise<() => void>;
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
  const clients = new Map<string, Client>();
  let going = 0;

  return {
    async turn(name) {
      const client = clients.get(name) ?? { turns: createSemaphore(OF_ONE_CLIENT), count: 0 };
      clients.set(name, client);
      const [all, own] = [++going, ++client.count];
      const waits = all > AT_ONCE || own > OF_ONE_CLIENT;
      const leave = await take(client, waits ? AbortSignal.timeout(TURN_MS) : undefined).catch(
        (error: unknown) => (count(), Promise.reject(error as Error)),
      );
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        count();
        leave();
      };

      function count(): void {
        going--;
        if (--client.count === 0) clients.delete(name);
      }
    },
    any: () => free.pop() ?? fresh(),
    fresh,
  };

  /** A turn of the client's, and then one of the app's: a client that has its share stands in nobody's way. */
  async function take(client: Client, signal: AbortSignal | undefined): Promise<() => void> {
    const leaveOwn = await client.turns.take(signal);
    try {
      const leave = await turns.take(signal);
      return () => (leave(), leaveOwn());
    } catch (error) {
      leaveOwn();
      throw error;
    }
  }
}

interface Client {
  turns: Semaphore;
  /** Requests of it that go on or wait. */
  count: number;
}
