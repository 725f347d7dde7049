import { request } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Whether something answers HTTP at the other end; any answer counts, an error page included.
 * @param ms how long it may take; many servers compile at their first request
 */
export function answers(
  connect: () => Promise<Duplex>,
  port: number,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    connect().then(
      (socket) => {
        const asked = request(
          {
            createConnection: () => socket as never,
            path: "/",
            method: "GET",
            headers: { host: `localhost:${port}`, accept: "text/html,*/*", connection: "close" },
            timeout: ms,
          },
          (response) => {
            response.destroy();
            socket.destroy();
            resolve(true);
          },
        );
        const no = () => {
          socket.destroy();
          resolve(false);
        };
        asked.on("error", no).on("timeout", no);
        signal?.addEventListener("abort", no, { once: true });
        asked.end();
      },
      () => resolve(false),
    );
  });
}
