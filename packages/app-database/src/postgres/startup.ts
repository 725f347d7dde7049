import type { Duplex } from "node:stream";

/** Maximum size of a startup message in bytes; PostgreSQL's own limit. */
const MOST_BYTES = 10_000;
/** Time limit for a complete startup message, in milliseconds. */
const BEGIN_MS = 15_000;

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const PROTOCOL_3 = 3;

/** The first message of a PostgreSQL client. */
export type Startup =
  | { kind: "session"; parameters: ReadonlyMap<string, string> }
  /** Requests cancellation of another connection's query. */
  | { kind: "cancel"; process: number; secret: number };

/**
 * Reads a client's first message (PostgreSQL's documentation, “Message Formats”: StartupMessage,
 * SSLRequest, GSSENCRequest, CancelRequest). Refuses encryption, because the connection never
 * leaves this machine.
 * @returns undefined if it is none of these, too long, too slow, or disconnected
 */
export async function readStartup(connection: Duplex): Promise<Startup | undefined> {
  const timer = setTimeout(() => connection.destroy(), BEGIN_MS);
  try {
    for (;;) {
      const head = await readBytes(connection, 8);
      if (!head) return undefined;
      const length = head.readInt32BE(0);
      const code = head.readInt32BE(4);
      if (length < 8 || length > MOST_BYTES) return undefined;
      if ((code === SSL_REQUEST || code === GSS_REQUEST) && length === 8) {
        connection.write("N");
        continue;
      }
      const body = length === 8 ? Buffer.alloc(0) : await readBytes(connection, length - 8);
      if (!body) return undefined;
      if (code === CANCEL_REQUEST)
        return length === 16
          ? { kind: "cancel", process: body.readInt32BE(0), secret: body.readInt32BE(4) }
          : undefined;
      if (code >>> 16 !== PROTOCOL_3) return undefined;
      return { kind: "session", parameters: parametersOf(body) };
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Names and values, each terminated by NUL. */
function parametersOf(body: Buffer): Map<string, string> {
  const words = body.toString("utf8").split("\0");
  const parameters = new Map<string, string>();
  for (let at = 0; at + 1 < words.length && words[at] !== ""; at += 2)
    parameters.set(words[at]!, words[at + 1]!);
  return parameters;
}

/** Reads this many bytes; undefined if the stream ends earlier. */
async function readBytes(stream: Duplex, size: number): Promise<Buffer | undefined> {
  for (;;) {
    const bytes = stream.read(size) as Buffer | null;
    if (bytes) return bytes.length === size ? bytes : undefined;
    if (stream.readableEnded || stream.destroyed) return undefined;
    await new Promise<void>((resolve) => {
      const go = () => {
        for (const event of EVENTS) stream.off(event, go);
        resolve();
      };
      for (const event of EVENTS) stream.on(event, go);
    });
  }
}

const EVENTS = ["readable", "end", "close", "error"] as const;
