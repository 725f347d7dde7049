/** Maximum size of a message's header, in bytes. */
const HEAD_BYTES = 4 * 1024;
/** Maximum size of a message, in bytes: a list of thousands of completions. */
export const MESSAGE_BYTES = 8 * 1024 * 1024;

const END = Buffer.from("\r\n\r\n");

/**
 * Parses a language server's output: `Content-Length: N`, an empty line and N bytes, repeatedly, in
 * chunks of any size. Linear time: a body is joined once.
 * @throws Error for invalid or too long messages; nothing is read afterwards
 */
export function createMessageReader(
  onMessage: (text: string) => void,
): (bytes: Uint8Array) => void {
  let head = Buffer.alloc(0);
  let body: { wanted: number; got: number; pieces: Buffer[] } | undefined;
  return (bytes) => {
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    while (rest.length > 0) {
      if (!body) {
        const before = head.length;
        head = Buffer.concat([head, rest.subarray(0, HEAD_BYTES + END.length - before)]);
        const end = head.indexOf(END);
        if (end < 0) {
          if (head.length >= HEAD_BYTES)
            throw new Error("It printed something other than messages.");
          return;
        }
        body = { wanted: lengthIn(head.subarray(0, end).toString("latin1")), got: 0, pieces: [] };
        rest = rest.subarray(end + END.length - before);
        head = Buffer.alloc(0);
      }
      const piece = rest.subarray(0, body.wanted - body.got);
      rest = rest.subarray(piece.length);
      body.pieces.push(piece);
      body.got += piece.length;
      if (body.got < body.wanted) return;
      const text = Buffer.concat(body.pieces).toString("utf8");
      body = undefined;
      onMessage(text);
    }
  };
}

function lengthIn(head: string): number {
  const length = Number(/^content-length: *(\d{1,9}) *$/im.exec(head)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new Error("It printed something other than messages.");
  if (length > MESSAGE_BYTES)
    throw new Error(`A message of it has ${length} bytes; the limit is ${MESSAGE_BYTES}.`);
  return length;
}

/** A message with the header that language servers expect. */
export function framed(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}
