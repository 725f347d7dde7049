/** Where a value stands: keys of objects and indices of arrays, from the outermost. `[]` is the whole text. */
export type ArgumentPath = (string | number)[];

/**
 * Events of a tool call's arguments while they stream. Each `string-open` has exactly one `string-close`, with the
 * `string-delta`s of the same path between them and nothing else; `end` comes last, exactly once, from `end()`.
 * Keys are not told by themselves, and objects and arrays only through what they hold.
 */
export type ArgumentEvent =
  | { type: "string-open"; path: ArgumentPath }
  /** Decoded, never empty; does not end in the first half of a surrogate pair. */
  | { type: "string-delta"; path: ArgumentPath; text: string }
  /** `complete` is false when the text was cut inside the string. */
  | { type: "string-close"; path: ArgumentPath; complete: boolean }
  /** A number, a boolean or null. */
  | { type: "value"; path: ArgumentPath; value: number | boolean | null }
  /** `complete`: the text was one whole value. Otherwise it was cut, or `problem` says what is wrong with it. */
  | { type: "end"; complete: boolean; problem?: string };

/** What is held of the arguments at most; what goes over ends the reading with a `problem`. */
export interface ArgumentLimits {
  /** How deep objects and arrays may lie in one another. */
  depth: number;
  /** Characters of one key, number or literal. */
  tokenCharacters: number;
}

/** What `createArgumentReader` takes. */
export interface ArgumentReaderOptions {
  /** Called synchronously, in order. What it throws goes to the caller of `write` or `end`. */
  onEvent: (event: ArgumentEvent) => void;
  limits?: Partial<ArgumentLimits>;
}

/** Reads the arguments of one tool call. Never throws. */
export interface ArgumentReader {
  /** Takes only what is new, in pieces of any size. What follows an error is ignored. */
  write(chunk: string): void;
  end(): void;
}
