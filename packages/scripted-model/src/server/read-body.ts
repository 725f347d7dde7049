import type { IncomingMessage } from "node:http";
import { recordOf } from "../wires/read-json.ts";
import { LIMITS } from "./limits.ts";

/**
 * The JSON body; `undefined` if it is invalid or too long, `null` if the connection ended early.
 */
export async function readBody(
  request: IncomingMessage,
): Promise<Record<string, unknown> | undefined | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > LIMITS.requestBytes) return undefined;
      pieces.push(piece);
    }
  } catch {
    return null;
  }
  try {
    return recordOf(JSON.parse(Buffer.concat(pieces).toString("utf8")));
  } catch {
    return undefined;
  }
}
