import { connect, createServer } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Joins two byte streams (sockets created with `allowHalfOpen`). A side that has ended can still
 * receive; a side that breaks destroys the other.
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

/** Bytes carried by all bridges since the start. */
let carried = 0;
export const carriedBytes = (): number => carried;

/**
 * Offers a unix socket of the host at a loopback port in the sandbox, because most programs only know addresses with
 * ports.
 * @param onAnswer receives the host's bytes before the program does, with the program's own port
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

/** The host's request for a byte stream to a port in the sandbox. */
export interface Dial {
  port: number;
  /** Identifies the dial; the stream begins with it. */
  token: string;
  /** Path of the socket on which the host accepts the stream. */
  streamSocket: string;
}

/**
 * Connects to the port, then to the host, sends the token of the request, and joins the two. Tries
 * both loopback addresses, because some servers listen on only one.
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
