/** The part of DER (X.690) that a certificate needs. */

const tagged = (tag: number, ...pieces: Buffer[]): Buffer => {
  const body = Buffer.concat(pieces);
  const { length } = body;
  const size: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) size.unshift(rest & 255);
  const head = length < 128 ? [length] : [0x80 | size.length, ...size];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
};

export const sequence = (...pieces: Buffer[]) => tagged(0x30, ...pieces);
export const set = (...pieces: Buffer[]) => tagged(0x31, ...pieces);
export const octets = (bytes: Buffer) => tagged(0x04, bytes);
export const text = (value: string) => tagged(0x0c, Buffer.from(value));
export const yes = () => tagged(0x01, Buffer.from([255]));
/** A context-specific constructed element. */
export const member = (number: number, ...pieces: Buffer[]) => tagged(0xa0 | number, ...pieces);
/** A context-specific primitive element. */
export const plain = (number: number, bytes: Buffer) => tagged(0x80 | number, bytes);

export const bits = (bytes: Buffer, unused = 0) =>
  tagged(0x03, Buffer.concat([Buffer.from([unused]), bytes]));

/** A non-negative integer of any size. */
export const integer = (bytes: Buffer) =>
  tagged(0x02, bytes[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const piece = [number & 127];
    for (let more = number >>> 7; more > 0; more >>>= 7) piece.unshift(0x80 | (more & 127));
    bytes.push(...piece);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** UTCTime, as certificates use it until 2049. */
export const time = (date: Date) =>
  tagged(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
