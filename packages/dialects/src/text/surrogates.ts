/**
 * Makes a streamed text well formed: a pair divided between chunks stays whole, a lone surrogate
 * becomes U+FFFD.
 */
export interface SurrogateJoiner {
  /**
   * Returns the complete part of the text so far; empty while a high surrogate waits for the low
   * one.
   */
  write(piece: string): string;
  /** Returns the rest. Call once after the last chunk. */
  end(): string;
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** Creates a joiner for one streamed text. */
export function createSurrogateJoiner(): SurrogateJoiner {
  let half = "";
  return {
    write(piece) {
      const text = half + piece;
      half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
      return (half === "" ? text : text.slice(0, -1)).toWellFormed();
    },
    end() {
      const rest = half.toWellFormed();
      half = "";
      return rest;
    },
  };
}
