import { connect, createServer, type Socket } from "node:net";

/** Joins two sockets until either ends. */
export function join(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  const end = () => {
    a.destroy();
    b.destroy();
  };
  for (const socket of [a, b]) socket.on("error", end).on("close", end);
}

/** Offers a unix socket of the host at a loopback port inside; programs know only addresses with ports. */
export function offer(port: number, socketPath: string): Promise<void> {
  const server = createServer((inside) => join(inside, connect(socketPath)));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.unref();
      resolve();
    });
  });
}

/**
 * The host wants a byte stream to a port in here: dial the port, then the host, say which request this answers, join.
 * Both loopbacks are tried, since some servers listen on only one of them.
 */
export function dialPort(options: {
  port: number;
  token: string;
  streamSocket: string;
}): Promise<void> {
  return new Promise((resolve, reject) => {
    const attempt = (hosts: string[]) => {
      const [host, ...others] = hosts;
      const inside = connect({ port: options.port, host });
      inside.once("error", (error) => {
        if (others.length > 0) attempt(others);
        else reject(error);
      });
      inside.once("connect", () => {
        inside.removeAllListeners("error");
        const outside = connect(options.streamSocket, () => {
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
