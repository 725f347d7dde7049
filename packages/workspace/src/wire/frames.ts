/**
 * Frames between guest and host: 4 bytes of total length, 4 bytes of header length (both big-endian), a JSON header, then
 * raw bytes. File contents travel raw: base64 in JSON costs a third more and a copy.
 */

/** Maximum size of a frame. A file that is read or written in one piece has to fit. */
export const MAX_FRAME = 64 * 1024 * 1024;

/** Maximum number of bytes of file content in one frame; the rest is reserved for its header. */
export const MAX_PIECE = MAX_FRAME - 64 * 1024;

export interface Frame<Header = unknown> {
  header: Header;
  body: Uint8Array;
}

const EMPTY = new Uint8Array(0);

/** Encodes a frame as chunks. Throws RangeError if it would exceed `MAX_FRAME`. */
export function encodeFrame(header: unknown, body: Uint8Array = EMPTY): Uint8Array[] {
  const head = Buffer.from(JSON.stringify(header));
  const total = 4 + head.length + body.length;
  if (total > MAX_FRAME) throw new RangeError(`a frame of ${total} bytes is over ${MAX_FRAME}`);
  const prefix = Buffer.allocUnsafe(8);
  prefix.writeUInt32BE(total, 0);
  prefix.writeUInt32BE(head.length, 4);
  return body.length === 0 ? [prefix, head] : [prefix, head, body];
}

/**
 * Splits a byte stream into frames, in time linear in its length for any chunk sizes.
 * @param onBroken called once if the other side violates the format; nothing is read after it
 */
export function createFrameReader<Header>(options: {
  onFrame: (frame: Frame<Header>) => void;
  onBroken: (why: string) => void;
}): (chunk: Buffer) => void {
  // Joined once a frame is complete: joining at every chunk is quadratic for a large file.
  let pieces: Buffer[] = [];
  let held = 0;
  let needed = 8;
  let total = 0;
  let headerLength = 0;
  let broken = false;

  const take = (): Buffer => {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, held);
    const out = all.subarray(0, needed);
    const rest = all.subarray(needed);
    pieces = rest.length > 0 ? [rest] : [];
    held = rest.length;
    return out;
  };

  return (chunk) => {
    if (broken) return;
    pieces.push(chunk);
    held += chunk.length;
    while (held >= needed) {
      const bytes = take();
      if (total === 0) {
        total = bytes.readUInt32BE(0);
        headerLength = bytes.readUInt32BE(4);
        if (total > MAX_FRAME || total < 4 + headerLength) {
          broken = true;
          pieces = [];
          options.onBroken("a frame's length makes no sense");
          return;
        }
        needed = total - 4;
        continue;
      }
      const body = bytes.subarray(headerLength);
      total = 0;
      needed = 8;
      // The other side may be controlled by generated code, so invalid data closes the connection and never throws.
      try {
        const header = JSON.parse(bytes.toString("utf8", 0, headerLength)) as Header;
        options.onFrame({ header, body });
      } catch (error) {
        broken = true;
        pieces = [];
        options.onBroken((error as Error).message);
        return;
      }
    }
  };
}
