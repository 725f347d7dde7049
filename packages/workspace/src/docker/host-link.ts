import { constants, performServerHandshake, type ServerHttp2Stream } from "node:http2";
import { Duplex, PassThrough } from "node:stream";
import { HOST_LINK_SETTINGS, LINK_WINDOW } from "../wire/link-settings.ts";

/** Who takes connections to one socket inside, and how many at a time; more are refused. */
export interface Taker {
  take(stream: Duplex): void;
  limit: number;
}

/**
 * The host's end of a guest that speaks over one byte stream (see guest/over-stdio.ts).
 * @param takers by the names of the sockets inside; a connection to any other is refused
 * @param onBroken it does not speak as a guest does
 * @returns how to let it go
 */
export function openHostLink(
  carrier: Duplex,
  takers: ReadonlyMap<string, Taker>,
  onBroken: () => void,
): () => void {
  // When Node receives an end it shuts its own side, and if the carrier is slow, the next message to the guest fails
  // an assertion that cannot be caught. So the session never receives an end; it is destroyed instead.
  const endless = Duplex.from({
    readable: carrier.pipe(new PassThrough(), { end: false }),
    writable: carrier,
  });
  endless.on("error", () => undefined);
  const session = performServerHandshake(endless, HOST_LINK_SETTINGS);
  const open = new Map<string, number>();
  session.on("error", onBroken);
  // Node's own end of a session says goodbye first. Where the carrier has ended by then, that throws where nobody can catch
  // it; where it takes nothing more, it waits for ever. One whose carrier is gone ends without a word.
  session.destroy = (error) => {
    if (error) onBroken();
    endless.destroy();
    carrier.destroy();
  };
  carrier.once("end", () => session.destroy()).once("close", () => session.destroy());
  session.once("connect", () => session.setLocalWindowSize(LINK_WINDOW));
  session.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => undefined);
    const name = String(headers[":path"]).slice(1);
    const taker = takers.get(name);
    const count = open.get(name) ?? 0;
    // Destroyed rather than ended, so that the client notices immediately and holds no half-open connection.
    if (!taker || count >= taker.limit) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    open.set(name, count + 1);
    stream.once("close", () => open.set(name, open.get(name)! - 1));
    stream.respond({ ":status": 200 });
    taker.take(asBytes(stream));
  });
  return () => session.destroy();
}

/**
 * The same stream, written to in bytes alone. An HTTP server writes its head as text together with a body of bytes, and of
 * such a mixture Node's HTTP/2 frees the text before it is sent (nodejs/node#40679): the other side reads what the memory
 * holds by then.
 */
function asBytes(stream: ServerHttp2Stream): Duplex {
  const bytes = Duplex.from({ readable: stream, writable: stream });
  // A broken connection is closed, which its user notices.
  bytes.on("error", () => undefined);
  return bytes;
}
