import { request } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES, speaksTls } from "@treadle/common";

/**
 * Returns the status of an HTTP response from the other end; 200 for HTTPS, whose response is not
 * read.
 * @param ms time limit; many servers compile at their first request
 * @returns undefined if there is no response
 */
export function answersHttp(
  connect: () => Promise<Duplex>,
  port: number,
  ms: number,
  signal?: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    connect().then(
      (socket) => {
        if (signal?.aborted) return void (socket.destroy(), resolve(undefined));
        const asked = request(
          {
            createConnection: () => socket,
            maxHeaderSize: ANSWER_HEAD_BYTES,
            path: "/",
            method: "GET",
            headers: { host: `localhost:${port}`, accept: "text/html,*/*", connection: "close" },
            timeout: ms,
          },
          (response) => {
            response.destroy();
            settle(response.statusCode);
          },
        );
        let isSettled = false;
        const settle = (answer: number | undefined) => {
          isSettled = true;
          signal?.removeEventListener("abort", no);
          socket.destroy();
          resolve(answer);
        };
        const no = () => settle(undefined);
        asked.on("timeout", no).on("error", () => {
          // A server that closes plain HTTP connections may speak HTTPS: a TLS handshake counts as
          // a response.
          if (!isSettled)
            void speaksTls(connect).then((speaks) => settle(speaks ? 200 : undefined));
        });
        signal?.addEventListener("abort", no, { once: true });
        asked.end();
      },
      () => resolve(undefined),
    );
  });
}
