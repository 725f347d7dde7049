import type { IncomingMessage } from "node:http";

/**
 * How a request delimits its body (RFC 9112, 6.3). It is determined once from the received request; both the forwarded
 * header and the forwarded bytes are derived from it alone.
 */
export type Framing =
  | { kind: "none" }
  /** In bytes, at least one. */
  | { kind: "length"; bytes: number }
  | { kind: "chunked" };

const NONE: Framing = { kind: "none" };
const CHUNKED: Framing = { kind: "chunked" };

/**
 * Determines how a request delimits its body.
 * @returns undefined for a request with an ambiguous end: both headers, an encoding besides `chunked`, or a length that
 * is too large. It has to be refused.
 */
export function readFraming({ headers }: Pick<IncomingMessage, "headers">): Framing | undefined {
  const { "transfer-encoding": encoding, "content-length": length } = headers;
  if (encoding !== undefined)
    return length === undefined && encoding.toLowerCase() === "chunked" ? CHUNKED : undefined;
  if (length === undefined) return NONE;
  const bytes = Number(length);
  if (!/^\d+$/.test(length) || !Number.isSafeInteger(bytes)) return undefined;
  return bytes === 0 ? NONE : { kind: "length", bytes };
}

/** The header that delimits a body, as name and value; empty for none. */
export function framingHeader(framing: Framing): [] | [name: string, value: string] {
  switch (framing.kind) {
    case "length":
      return ["content-length", String(framing.bytes)];
    case "chunked":
      return ["transfer-encoding", "chunked"];
    case "none":
      return [];
  }
}
