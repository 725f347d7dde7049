/** The estimate used where no provider counts. */
const CHARACTERS_PER_TOKEN = 4;
/** Providers cache prefixes in blocks, and none shorter than this number of tokens. */
const BLOCK = 128;
const LEAST = 1_024;

export interface Count {
  requests: number;
  /** Tokens. */
  fresh: number;
  cached: number;
  output: number;
}

/**
 * Counts what is sent and answered. What a request has in common with the one before it, from the first character on
 * and in whole blocks, counts as cached; the same for every way.
 */
export function createCounter(): Count & { add(request: string, answer: string): void } {
  let before = "";
  const count = {
    requests: 0,
    fresh: 0,
    cached: 0,
    output: 0,
    add(request: string, answer: string) {
      const same = Math.floor(commonPrefix(before, request) / CHARACTERS_PER_TOKEN / BLOCK) * BLOCK;
      const cached = same < LEAST ? 0 : same;
      count.requests++;
      count.cached += cached;
      count.fresh += tokens(request) - cached;
      count.output += tokens(answer);
      before = request;
    },
  };
  return count;
}

export function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function commonPrefix(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
