import { constants, performServerHandshake, type ServerHttp2Stream } from "node:http2";
import { Duplex, PassThrough } from "node:stream";
import { HOST_LINK_SETTINGS, LINK_WINDOW } from "../wire/link-settings.ts";

/** Accepts connections to one of the guest's sockets, up to a limit; further ones are refused. */
export interface Taker {
  take(stream: Duplex): void;
  limit: number;
}

/**
 * The host's end of a guest that communicates over a single byte stream (see guest/over-stdio.ts).
 * @param takers by the names of the guest's sockets; a connection to any other is refused
 * @param onBroken called if the guest violates the protocol
 * @returns a function that closes the link
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
  // Node sends a goodbye when it destroys a session. If the carrier has ended, that throws an error
  // that cannot be caught; if the carrier accepts no data, it waits forever. So the session is
  // destroyed silently once its carrier is gone.
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
 * Wraps the stream so that it is written to in bytes only. An HTTP server writes its head as text
 * and its body as bytes, and Node's HTTP/2 frees the text of such a mixture before it is sent
 * (nodejs/node#40679): the other side would read arbitrary memory.
 */
function asBytes(stream: ServerHttp2Stream): Duplex {
  const bytes = Duplex.from({ readable: stream, writable: stream });
  // A broken connection is closed, which its user handles.
  bytes.on("error", () => undefined);
  return bytes;
}
