import { request } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES, speaksTls } from "@treadle/common";

/**
 * The status with which something answers HTTP at the other end; of HTTPS, whose answer is not read, 200.
 * @param ms how long it may take; many servers compile at their first request
 * @returns undefined where nothing answers
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
          // What hangs up on plain HTTP may speak HTTPS: who greets so answers.
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
