import { stripVTControlCharacters } from "node:util";

/**
 * Maximum length of text without an address that is kept, in characters: an address may be split
 * between two pieces of output.
 */
const TAIL_CHARS = 200;
const ADDRESS = /https?:\/\/(?:localhost|127\.0\.0\.1):(\d{1,5})(?=(\D))/i;

/**
 * Finds the first `http://localhost:PORT` in streamed output, as the judges do: colours are
 * ignored, and `127.0.0.1` and `https` count as well.
 * @returns a function that takes the next piece and returns the port once it is known
 */
export function createAddressFinder(): (piece: string) => number | undefined {
  let rest = "";
  let found: number | undefined;
  return (piece) => {
    if (found !== undefined) return found;
    rest += piece;
    // An unfinished line may get more digits.
    const match = ADDRESS.exec(stripVTControlCharacters(rest));
    const port = match ? Number(match[1]) : 0;
    if (port > 0 && port <= 65_535) found = port;
    else if (!match && rest.length > TAIL_CHARS * 4) rest = rest.slice(-TAIL_CHARS);
    else if (match) rest = rest.slice(-TAIL_CHARS);
    return found;
  };
}
