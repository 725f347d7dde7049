import { StringDecoder } from "node:string_decoder";

/**
 * Yields the lines of a program's output, split at line feeds only. Yields `undefined` for a line
 * of more than `most` characters, which is skipped without being buffered.
 */
export async function* boundedLines(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder("utf8");
  let held: string[] = [];
  let length = 0;
  const end = () => {
    const line = length > most ? undefined : held.join("");
    [held, length] = [[], 0];
    return line;
  };
  const take = (part: string) => {
    length += part.length;
    if (length <= most) held.push(part);
    else held = [];
  };
  for await (const piece of pieces) {
    const [first = "", ...others] = decoder.write(Buffer.from(piece)).split("\n");
    take(first);
    for (const other of others) {
      yield end();
      take(other);
    }
  }
  if (length > 0) yield end();
}
