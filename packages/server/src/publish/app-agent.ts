import { Agent, type AgentOptions } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Unused connections are given up after so many milliseconds: earlier than the servers of apps do it (Node and uvicorn
 * after 5 s), so that hardly a request meets one that is being closed.
 */
const OPTIONS: AgentOptions = { keepAlive: true, maxFreeSockets: 16, timeout: 3_000 };

/**
 * Connections to an app, used again: making one goes through its sandbox and costs more than most answers. Only for
 * requests that may be made twice, since a server may close a connection just as the next request is written to it
 * (RFC 9112, 9.3.1).
 */
export const createAppAgent = (connect: () => Promise<Duplex>): Agent => new AppAgent(connect);

class AppAgent extends Agent {
  readonly #connect: () => Promise<Duplex>;

  constructor(connect: () => Promise<Duplex>) {
    super(OPTIONS);
    this.#connect = connect;
  }

  override createConnection(
    _: unknown,
    made?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#connect().then(
      (stream) => {
        stream.on("error", () => stream.destroy());
        // Connections into a sandbox stay half open: without this, what the app has closed would be taken for unused.
        stream.once("end", () => stream.end());
        // Node asks it of each connection after its answer. Docker's are no sockets.
        if (!(stream instanceof Socket)) Object.assign(stream, { setTimeout() {} });
        made?.(null, stream);
      },
      (error: Error) => made?.(error, undefined as never),
    );
  }

  /** What is no socket is used once. */
  override keepSocketAlive(stream: Duplex): boolean {
    return (
      stream instanceof Socket &&
      !stream.readableEnded &&
      // Typed as void, and asked for its answer by Node.
      (super.keepSocketAlive(stream) as unknown) !== false
    );
  }
}
