/**
 * Maximum size of a ClientHello in bytes; the largest in use (post-quantum keys, many extensions)
 * take an eighth of it.
 */
export const HELLO_LIMIT = 16 * 1024;
/** Maximum number of records it may be split into; real clients need at most two. */
const RECORDS = 64;

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;

/**
 * The first bytes of a connection. `more`: incomplete. `plain`: not TLS. `nameless`: TLS whose
 * ClientHello names no host, several, or is invalid.
 */
export type Greeting = { kind: "more" | "plain" | "nameless" } | { kind: "tls"; name: string };

/**
 * Reads the server name (SNI) from a TLS client's first message, however the message is divided into records. If the
 * hello is encrypted, returns the outer name. Never throws.
 */
export function readGreeting(bytes: Buffer): Greeting {
  if (bytes.length === 0) return { kind: "more" };
  if (bytes[0] !== HANDSHAKE) return { kind: "plain" };
  if (bytes.length > HELLO_LIMIT) return { kind: "nameless" };
  const pieces: Buffer[] = [];
  let size = 0;
  for (let at = 0; ;) {
    if (bytes.length < at + 5) return { kind: "more" };
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3 || length === 0) return { kind: "nameless" };
    const piece = bytes.subarray(at + 5, at + 5 + length);
    if (pieces.push(piece) > RECORDS) return { kind: "nameless" };
    size += piece.length;
    if (size >= 4) {
      const head = Buffer.concat(pieces.slice(0, 4));
      const end = 4 + head.readUIntBE(1, 3);
      if (head[0] !== CLIENT_HELLO || end > HELLO_LIMIT) return { kind: "nameless" };
      if (size >= end) return named(Buffer.concat(pieces, size).subarray(4, end));
    }
    if (piece.length < length) return { kind: "more" };
    at += 5 + length;
  }
}

function named(hello: Buffer): Greeting {
  try {
    const names = serverNames(hello);
    const [name] = names;
    return names.length === 1 && name !== undefined ? { kind: "tls", name } : { kind: "nameless" };
  } catch {
    // A length beyond the end.
    return { kind: "nameless" };
  }
}

/** All host names of the server name extension. Throws for an invalid length. */
function serverNames(hello: Buffer): string[] {
  let at = 2 + 32;
  /** Reads the part announced by a length of this many bytes. */
  const take = (bytes: number, from: Buffer = hello): Buffer => {
    const length = from.readUIntBE(at, bytes);
    const end = at + bytes + length;
    if (end > from.length) throw new RangeError("The message is too short.");
    const taken = from.subarray(at + bytes, end);
    at = end;
    return taken;
  };
  take(1); // session
  take(2); // ciphers
  take(1); // compressions
  const extensions = take(2);
  const names: string[] = [];
  for (at = 0; at < extensions.length;) {
    const type = extensions.readUInt16BE(at);
    at += 2;
    const data = take(2, extensions);
    if (type !== SERVER_NAME) continue;
    const after = at;
    at = 0;
    const list = take(2, data);
    for (at = 0; at < list.length;) {
      const kind = list[at++];
      const name = take(2, list).toString("latin1");
      if (kind === HOST_NAME) names.push(name);
    }
    at = after;
  }
  return names;
}
