import type {
  ArgumentEvent,
  ArgumentLimits,
  ArgumentPath,
  ArgumentReader,
  ArgumentReaderOptions,
} from "./types.ts";

export const ARGUMENT_LIMITS: ArgumentLimits = {
  // Arguments of tools are flat; deeper than this is an attack or a loop.
  depth: 256,
  // A key is a parameter's name or, at most, a path.
  tokenCharacters: 16_384,
};

/**
 * Reads a tool call's JSON arguments as they stream: strings are given out decoded while they grow, so that a long file
 * costs its characters once. It takes line breaks inside strings and a comma before a closing bracket as models write
 * them. No input makes it throw.
 */
export function createArgumentReader(options: ArgumentReaderOptions): ArgumentReader {
  return new Reader(options);
}

const QUOTE = 34;
const BACKSLASH = 92;

const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** What may come next. `value-or-end` and `key-or-end` also take the closing bracket. */
type Expect = "value" | "value-or-end" | "key-or-end" | "colon" | "comma-or-end" | "nothing";

class Reader implements ArgumentReader {
  readonly #emit: (event: ArgumentEvent) => void;
  readonly #limits: ArgumentLimits;
  /** A key (string) marks an object, an index (number) an array. */
  readonly #path: ArgumentPath = [];
  #expect: Expect = "value";
  #in: "between" | "key" | "string" | "escape" | "token" = "between";
  #stringIn: "key" | "string" = "string";
  #stringPath: ArgumentPath = [];
  /** What is held of a key, of a number or of an escape. */
  #token = "";
  #escape = "";
  /** Decoded characters that wait: the first half of a surrogate pair. */
  #half = "";
  #problem: string | undefined;
  #ended = false;

  constructor({ onEvent, limits }: ArgumentReaderOptions) {
    this.#emit = onEvent;
    this.#limits = { ...ARGUMENT_LIMITS, ...limits };
  }

  write(chunk: string): void {
    let at = 0;
    while (at < chunk.length && this.#problem === undefined && !this.#ended) {
      switch (this.#in) {
        case "string":
        case "key":
          at = this.#readString(chunk, at);
          break;
        case "escape":
          at = this.#readEscape(chunk, at);
          break;
        case "token":
          at = this.#readToken(chunk, at);
          break;
        case "between":
          at = this.#readBetween(chunk, at);
      }
    }
  }

  end(): void {
    if (this.#ended) return;
    if (this.#in === "token" && this.#problem === undefined && this.#path.length === 0)
      this.#endToken();
    this.#ended = true;
    this.#closeCutString();
    const complete = this.#problem === undefined && this.#expect === "nothing";
    if (this.#problem === undefined) this.#emit({ type: "end", complete });
    else this.#emit({ type: "end", complete: false, problem: this.#problem });
  }

  #readBetween(chunk: string, at: number): number {
    const code = chunk.charCodeAt(at);
    if (code === 32 || code === 10 || code === 13 || code === 9) return at + 1;
    const char = chunk.charAt(at);
    const expect = this.#expect;
    if (expect === "value" || expect === "value-or-end") {
      if (expect === "value-or-end" && char === "]") return this.#leave(at);
      return this.#startValue(char, at);
    }
    if (expect === "key-or-end") {
      if (char === "}") return this.#leave(at);
      if (code !== QUOTE) return this.#fail(`expected a key and found ${JSON.stringify(char)}`);
      this.#in = "key";
      this.#stringIn = "key";
      this.#token = "";
      return at + 1;
    }
    if (expect === "colon" && char === ":") {
      this.#expect = "value";
      return at + 1;
    }
    if (expect === "comma-or-end") {
      const last = this.#path.length - 1;
      const place = this.#path[last];
      if (char === ",") {
        if (typeof place === "number") this.#path[last] = place + 1;
        this.#expect = typeof place === "number" ? "value-or-end" : "key-or-end";
        return at + 1;
      }
      if (char === (typeof place === "number" ? "]" : "}")) return this.#leave(at);
    }
    return this.#fail(`found ${JSON.stringify(char)} where it cannot stand`);
  }

  #startValue(char: string, at: number): number {
    if (char === '"') {
      this.#in = "string";
      this.#stringIn = "string";
      this.#stringPath = this.#path.slice();
      this.#emit({ type: "string-open", path: this.#stringPath });
      return at + 1;
    }
    if (char === "{" || char === "[") {
      if (this.#path.length >= this.#limits.depth)
        return this.#fail(`nested more than ${this.#limits.depth} deep`);
      this.#path.push(char === "{" ? "" : 0);
      this.#expect = char === "{" ? "key-or-end" : "value-or-end";
      return at + 1;
    }
    if (!/[-\w]/.test(char)) return this.#fail(`found ${JSON.stringify(char)} instead of a value`);
    this.#in = "token";
    this.#token = "";
    return at;
  }

  #leave(at: number): number {
    this.#path.pop();
    this.#settle();
    return at + 1;
  }

  /** A value is whole: what may follow depends on what it stands in. */
  #settle(): void {
    this.#expect = this.#path.length === 0 ? "nothing" : "comma-or-end";
  }

  #readString(chunk: string, from: number): number {
    let at = from;
    let code = 0;
    while (at < chunk.length) {
      code = chunk.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH) break;
      at++;
    }
    if (at > from) this.#take(from === 0 && at === chunk.length ? chunk : chunk.slice(from, at));
    if (at === chunk.length || this.#problem !== undefined) return at;
    if (code === BACKSLASH) {
      this.#in = "escape";
      this.#escape = "";
    } else this.#endString();
    return at + 1;
  }

  #readEscape(chunk: string, at: number): number {
    this.#escape += chunk.charAt(at);
    const kind = this.#escape.charAt(0);
    if (kind === "u") {
      if (this.#escape.length < 5) return at + 1;
      const digits = this.#escape.slice(1);
      if (!/^[0-9a-f]{4}$/i.test(digits)) return this.#fail(`\\u${digits} is not an escape`);
      this.#in = this.#stringIn;
      this.#take(String.fromCharCode(Number.parseInt(digits, 16)));
      return at + 1;
    }
    const decoded = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
    if (decoded === undefined) return this.#fail(`\\${kind} is not an escape`);
    this.#in = this.#stringIn;
    this.#take(decoded);
    return at + 1;
  }

  #take(text: string): void {
    if (this.#stringIn === "key") {
      this.#token += text;
      if (this.#token.length > this.#limits.tokenCharacters) this.#fail("a key is too long");
      return;
    }
    if (this.#half !== "") {
      text = this.#half + text;
      this.#half = "";
    }
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
      if (text === "") return;
    }
    this.#emit({ type: "string-delta", path: this.#stringPath, text });
  }

  #endString(): void {
    this.#in = "between";
    if (this.#stringIn === "key") {
      this.#path[this.#path.length - 1] = this.#token;
      this.#token = "";
      this.#expect = "colon";
      return;
    }
    this.#closeString(true);
    this.#settle();
  }

  #closeString(complete: boolean): void {
    if (this.#half !== "") {
      this.#emit({ type: "string-delta", path: this.#stringPath, text: this.#half });
      this.#half = "";
    }
    this.#emit({ type: "string-close", path: this.#stringPath, complete });
  }

  #closeCutString(): void {
    const inString =
      this.#in === "string" || (this.#in === "escape" && this.#stringIn === "string");
    this.#in = "between";
    if (inString) this.#closeString(false);
  }

  #readToken(chunk: string, from: number): number {
    let at = from;
    while (at < chunk.length && /[-+.\w]/.test(chunk.charAt(at))) at++;
    this.#token += chunk.slice(from, at);
    if (this.#token.length > this.#limits.tokenCharacters)
      return this.#fail("a number is too long");
    if (at < chunk.length) this.#endToken();
    return at;
  }

  #endToken(): void {
    const token = this.#token;
    this.#in = "between";
    this.#token = "";
    const value =
      token === "true" ? true : token === "false" ? false : token === "null" ? null : number(token);
    if (value === undefined) {
      this.#fail(`${JSON.stringify(token.slice(0, 40))} is not a value`);
      return;
    }
    this.#emit({ type: "value", path: this.#path.slice(), value });
    this.#settle();
  }

  /** Ends the reading; whatever is still open is closed by `end()`. */
  #fail(problem: string): number {
    this.#problem ??= problem;
    return Number.MAX_SAFE_INTEGER;
  }
}

function number(token: string): number | undefined {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(token) ? Number(token) : undefined;
}
