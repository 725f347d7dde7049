import type { Duplex } from "node:stream";
import { createSemaphore, type Semaphore } from "@treadle/common";
import { AppConnection } from "./app-connection.ts";

/**
 * Maximum number of concurrent requests of an app, and of connections to it including idle ones;
 * with its sockets, the number of connections into a sandbox.
 */
const AT_ONCE = 192;
/** Share of these that one client may use, so that endless streams leave room for others. */
const OF_ONE_CLIENT = 144;
/** How long a further request waits for its turn, in milliseconds. */
const TURN_MS = 10_000;

/**
 * Reusable connections to an app: opening one goes through its sandbox and takes longer than most
 * answers. Only for requests that may be repeated, since a server may close a connection just when
 * the next request is written (RFC 9112, 9.3.1).
 */
export interface AppConnections {
  /**
   * Call first. Resolves when a request may be sent to the app, with a function to call after its
   * answer. Rejects if that takes too long.
   * @param client identifies the client, which gets at most three quarters of the turns
   */
  turn(client: string): Promise<() => void>;
  /** An idle connection, or else a new one. */
  any(): AppConnection;
  /** A new connection. */
  fresh(): AppConnection;
}

export function createAppConnections(connect: () => Promise<Duplex>): AppConnections {
  /** Idle connections in the order of their use: the app will close the last one last. */
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

  /**
   * Waits for a turn of the client and then for one of the app, so that a client at its limit
   * delays nobody else.
   */
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
  /** Number of its active and waiting requests. */
  count: number;
}
