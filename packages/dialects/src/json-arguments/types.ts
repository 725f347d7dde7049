/**
 * The path of a value: keys of objects and indices of arrays, from the outermost. `[]` is the whole
 * text.
 */
export type ArgumentPath = (string | number)[];

/**
 * Events of a tool call's arguments while they stream. Each `string-open` has exactly one
 * `string-close`, with only `string-delta`s of the same path between them; `end` comes last,
 * exactly once, from `end()`. Keys, objects and arrays have no events of their own.
 */
export type ArgumentEvent =
  | { type: "string-open"; path: ArgumentPath }
  /** Decoded, never empty; does not end with a high surrogate. */
  | { type: "string-delta"; path: ArgumentPath; text: string }
  /** `complete` is false when the text was cut inside the string. */
  | { type: "string-close"; path: ArgumentPath; complete: boolean }
  /** A number, a boolean or null. */
  | { type: "value"; path: ArgumentPath; value: number | boolean | null }
  /**
   * `complete`: the text was one complete value. Otherwise it was cut, or `problem` gives the
   * error.
   */
  | { type: "end"; complete: boolean; problem?: string };

/** Limits on the arguments; exceeding one ends the parsing with a `problem`. */
export interface ArgumentLimits {
  /** Maximum nesting of objects and arrays. */
  depth: number;
  /** Maximum length of one key, number or literal, in characters. */
  tokenCharacters: number;
}

/** Options of `createArgumentReader`. */
export interface ArgumentReaderOptions {
  /** Called synchronously, in order. Its exceptions propagate to the caller of `write` or `end`. */
  onEvent: (event: ArgumentEvent) => void;
  limits?: Partial<ArgumentLimits>;
}

/** Parses the arguments of one tool call. Never throws. */
export interface ArgumentReader {
  /** Takes only new text, in chunks of any size. Text after an error is ignored. */
  write(chunk: string): void;
  end(): void;
}
