/** Makes a streamed text well formed: a pair that two pieces divide stays whole, a lone half becomes U+FFFD. */
export interface SurrogateJoiner {
  /** Returns what of the text so far is complete; empty while a first half waits for its second. */
  write(piece: string): string;
  /** Returns what is left. Call once after the last piece. */
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
