import { request } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES } from "@treadle/common";

/** Maximum size of a script with an inline source map, in bytes. */
const SIZE = 4 * 1024 * 1024;
const ANSWER_MS = 5_000;

/**
 * Loads a path from the app's own server over the given connection; undefined if it is missing or
 * too large. Rejects if it does not answer in time.
 */
export async function loadText(
  socket: Duplex,
  host: string,
  path: string,
): Promise<string | undefined> {
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      socket.on("error", reject);
      const asked = request({
        path,
        headers: { host, accept: "*/*", connection: "close" },
        createConnection: () => socket,
        maxHeaderSize: ANSWER_HEAD_BYTES,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      asked.on("error", reject);
      asked.on("response", (response) => {
        const pieces: Buffer[] = [];
        let size = 0;
        response.on("error", reject);
        response.on("data", (piece: Buffer) => {
          size += piece.length;
          if (size > SIZE) return resolve(undefined);
          pieces.push(piece);
        });
        response.on("end", () =>
          resolve(response.statusCode === 200 ? Buffer.concat(pieces).toString("utf8") : undefined),
        );
      });
      asked.end();
    });
  } finally {
    socket.destroy();
  }
}
