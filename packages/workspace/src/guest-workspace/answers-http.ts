import { request } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Whether something answers HTTP at the other end; any answer counts, an error page included.
 * @param ms how long it may take; many servers compile at their first request
 */
export function answersHttp(
  connect: () => Promise<Duplex>,
  port: number,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    connect().then(
      (socket) => {
        if (signal?.aborted) return void (socket.destroy(), resolve(false));
        const asked = request(
          {
            createConnection: () => socket,
            path: "/",
            method: "GET",
            headers: { host: `localhost:${port}`, accept: "text/html,*/*", connection: "close" },
            timeout: ms,
          },
          (response) => {
            response.destroy();
            settle(true);
          },
        );
        const settle = (answer: boolean) => {
          signal?.removeEventListener("abort", no);
          socket.destroy();
          resolve(answer);
        };
        const no = () => settle(false);
        asked.on("error", no).on("timeout", no);
        signal?.addEventListener("abort", no, { once: true });
        asked.end();
      },
      () => resolve(false),
    );
  });
}
