import { connect, createServer } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Joins two byte streams (sockets made with `allowHalfOpen`). One side that has said all may still be answered; one that breaks
 * takes the other with it.
 */
export function join(a: Duplex, b: Duplex): void {
  a.pipe(b).pipe(a);
  for (const [socket, other] of [
    [a, b],
    [b, a],
  ] as const) {
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      if (!socket.readableEnded) other.destroy();
    });
  }
}

/** Bytes that went through what is offered, since the start. */
let carried = 0;
export const carriedBytes = (): number => carried;

/**
 * Offers a unix socket of the host at a loopback port inside; programs know only addresses with ports.
 * @param onAnswer sees what the host says before the program does, with the program's own port
 */
export function offer(
  port: number,
  socketPath: string,
  onAnswer?: (bytes: Buffer, clientPort: number) => void,
): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (inside) => {
    const outside = connect({ path: socketPath, allowHalfOpen: true });
    const clientPort = inside.remotePort ?? 0;
    outside.on("data", (bytes: Buffer) => void (carried += bytes.length));
    if (onAnswer) outside.on("data", (bytes: Buffer) => onAnswer(bytes, clientPort));
    join(inside, outside);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.unref();
      resolve();
    });
  });
}

/** The host wants a byte stream to a port in here. */
export interface Dial {
  port: number;
  /** Which dial it is: what the stream begins with. */
  token: string;
  /** Path at which the host takes the stream. */
  streamSocket: string;
}

/**
 * Dials the port, then the host, says which request this answers, and joins the two. Both loopbacks are tried, since some
 * servers listen on only one of them.
 */
export function dialPort(options: Dial): Promise<void> {
  return new Promise((resolve, reject) => {
    const attempt = (hosts: string[]) => {
      const [host, ...others] = hosts;
      const inside = connect({ port: options.port, host, allowHalfOpen: true });
      inside.once("error", (error) => {
        if (others.length > 0) attempt(others);
        else reject(error);
      });
      inside.once("connect", () => {
        inside.removeAllListeners("error");
        const outside = connect({ path: options.streamSocket, allowHalfOpen: true }, () => {
          outside.write(options.token);
          join(inside, outside);
          resolve();
        });
        outside.once("error", reject);
      });
    };
    attempt(["127.0.0.1", "::1"]);
  });
}
