import { request } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES } from "../answer-head.ts";
import { speaksTls } from "../secure-port.ts";

/**
 * Whether something answers HTTP at the other end, or HTTPS; any answer counts, an error page included.
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
            maxHeaderSize: ANSWER_HEAD_BYTES,
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
        let isSettled = false;
        const settle = (answer: boolean) => {
          isSettled = true;
          signal?.removeEventListener("abort", no);
          socket.destroy();
          resolve(answer);
        };
        const no = () => settle(false);
        asked.on("timeout", no).on("error", () => {
          // What hangs up on plain HTTP may speak HTTPS: who greets so answers.
          if (!isSettled) void speaksTls(connect).then(settle);
        });
        signal?.addEventListener("abort", no, { once: true });
        asked.end();
      },
      () => resolve(false),
    );
  });
}
