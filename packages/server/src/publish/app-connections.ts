import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES } from "@treadle/workspace";
import type * as Undici from "undici";
import { createSemaphore } from "../common/semaphore.ts";
import { withoutInterim } from "./without-interim.ts";

/** Requests that an app has at the same time: with its sockets, as many connections as lead into a sandbox. */
const AT_ONCE = 192;
/** So long one more waits for its turn, in milliseconds. */
const TURN_MS = 10_000;
/** Connections that wait for the next request. */
const FREE = 16;
/**
 * Unused connections are given up after so many milliseconds: earlier than the servers of apps do it (Node and uvicorn
 * after 5 s, or as they say themselves), so that hardly a request meets one that is being closed.
 */
const UNUSED_MS = 3_000;

/** Loaded when the first app is asked for something: a tenth of a server's start, and many a server publishes none. */
let undici: typeof Undici | undefined;

/** One connection to an app, or one that will be made by the first request over it. */
export interface AppConnection {
  client: Undici.Client;
  /** Whether a request went over it before: the app may be closing it just now. */
  isUsed: boolean;
  /** The next that comes is another answer. */
  awaitAnswer(): void;
}

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
  /** What was asked over it is answered whole. */
  giveBack(connection: AppConnection): void;
}

export function createAppConnections(connect: () => Promise<Duplex>): AppConnections {
  const free: AppConnection[] = [];

  function fresh(): AppConnection {
    const client = new undici!.Client("http://app", {
      connect: (_, made) =>
        void connect().then(
          (stream) => {
            stream.on("error", () => stream.destroy());
            connection.awaitAnswer = withoutInterim(stream);
            made(null, stream as never);
          },
          (error: Error) => made(error, null),
        ),
      maxHeaderSize: ANSWER_HEAD_BYTES,
      keepAliveTimeout: UNUSED_MS,
      keepAliveMaxTimeout: UNUSED_MS,
      // An answer may take as long as it likes, and a stream of events never ends.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: AppConnection = { client, isUsed: false, awaitAnswer() {} };
    client.on("disconnect", () => {
      const index = free.indexOf(connection);
      if (index !== -1) free.splice(index, 1);
    });
    return connection;
  }

  const turns = createSemaphore(AT_ONCE);
  let going = 0;

  return {
    async turn() {
      undici ??= await import("undici");
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
    giveBack(connection) {
      connection.isUsed = true;
      connection.awaitAnswer();
      // The one that was used last is the last to be closed by the app.
      if (free.push(connection) > FREE) void free.shift()!.client.close();
    },
  };
}
