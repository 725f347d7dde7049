import { createSurrogateJoiner } from "../text/surrogates.ts";
import type {
  ArgumentLimits,
  ArgumentPath,
  ArgumentReader,
  ArgumentReaderOptions,
} from "./types.ts";

/** The default limits of the argument reader. */
export const ARGUMENT_LIMITS: ArgumentLimits = {
  // Arguments of tools are flat; anything deeper is an attack or a loop.
  depth: 256,
  // A key is a parameter's name or, at most, a path.
  tokenCharacters: 16_384,
};

/**
 * Parses a tool call's JSON arguments while they stream: strings are output decoded as they grow,
 * so that a long file takes linear time, and are well formed. Accepts line breaks inside strings
 * and trailing commas, as models write them. Never throws.
 */
export function createArgumentReader({ onEvent, limits }: ArgumentReaderOptions): ArgumentReader {
  const { depth, tokenCharacters } = { ...ARGUMENT_LIMITS, ...limits };
  /** A string key stands for an object, a numeric index for an array. */
  const path: ArgumentPath = [];
  let expect: Expect = "value";
  let inside: "key" | "string" | "token" | undefined;
  let stringPath: ArgumentPath = [];
  /** The held part of a key or a number, and of an escape. */
  let token = "";
  let escape = "";
  /** A model may escape the two surrogates of a character separately, or only one of them. */
  const joiner = createSurrogateJoiner();
  /**
   * All UTF-16 units of keys and strings, combined by OR: below `FIRST_SURROGATE`, none of them was
   * a surrogate.
   */
  let units = 0;
  let problem: string | undefined;
  let ended = false;

  return {
    write(chunk) {
      for (let at = 0; at < chunk.length && problem === undefined && !ended;) {
        if (escape !== "") readEscape(chunk[at++]!);
        else if (inside === "token") at = readToken(chunk, at);
        else if (inside) at = readString(chunk, at);
        else if (readBetween(chunk[at]!)) at++;
      }
    },
    end() {
      if (ended) return;
      ended = true;
      if (inside === "token" && problem === undefined && path.length === 0) endToken();
      if (inside === "string") closeString(false);
      const complete = problem === undefined && expect === "nothing";
      onEvent({ type: "end", complete, problem });
    },
  };

  /**
   * Reads a character between values; false if it begins a number or a word, and has to be read
   * again.
   */
  function readBetween(char: string): boolean {
    if (" \n\r\t".includes(char)) return true;
    const place = path.at(-1);
    const isArray = typeof place === "number";
    const isValue = expect.startsWith("value");
    if (expect.endsWith("end") && char === (isArray ? "]" : "}")) {
      path.pop();
      settle();
    } else if (expect === "colon" && char === ":") expect = "value";
    else if (expect === "comma-or-end" && char === ",") {
      if (isArray) path[path.length - 1] = place + 1;
      expect = isArray ? "value-or-end" : "key-or-end";
    } else if (expect === "key-or-end" && char === '"') {
      inside = "key";
      token = "";
    } else if (isValue && char === '"') {
      inside = "string";
      stringPath = path.slice();
      onEvent({ type: "string-open", path: stringPath });
    } else if (isValue && (char === "{" || char === "[")) {
      if (path.length >= depth) problem = `nested more than ${depth} deep`;
      path.push(char === "{" ? "" : 0);
      expect = char === "{" ? "key-or-end" : "value-or-end";
    } else if (isValue && /[-\w]/.test(char)) {
      inside = "token";
      token = "";
      return false;
    } else problem = `${JSON.stringify(char)} cannot stand here`;
    return true;
  }

  /** Called when a value is complete: what may follow depends on its container. */
  function settle(): void {
    expect = path.length === 0 ? "nothing" : "comma-or-end";
  }

  function readString(chunk: string, from: number): number {
    let at = from;
    let code = 0;
    let seen = 0;
    for (; at < chunk.length; at++) {
      code = chunk.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH) break;
      seen |= code;
    }
    units |= seen;
    if (at > from) take(chunk.slice(from, at));
    if (at === chunk.length) return at;
    if (code === BACKSLASH) escape = "\\";
    else if (inside === "string") {
      closeString(true);
      settle();
    } else {
      inside = undefined;
      path[path.length - 1] = token;
      expect = "colon";
    }
    return at + 1;
  }

  function readEscape(char: string): void {
    escape += char;
    let decoded = ESCAPED[ESCAPES.indexOf(escape.slice(1))];
    if (escape[1] === "u") {
      if (escape.length < 6) return;
      if (/u[0-9a-f]{4}$/i.test(escape))
        decoded = String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    }
    if (decoded === undefined) problem = `${escape} is not an escape`;
    else {
      units |= decoded.charCodeAt(0);
      take(decoded);
    }
    escape = "";
  }

  function take(text: string): void {
    if (inside === "key") {
      token += text;
      if (token.length > tokenCharacters) problem = "a key is too long";
      return;
    }
    const joined = units < FIRST_SURROGATE ? text : joiner.write(text);
    if (joined !== "") onEvent({ type: "string-delta", path: stringPath, text: joined });
  }

  function closeString(complete: boolean): void {
    inside = undefined;
    const rest = joiner.end();
    // In a cut string, half of a pair is not a character.
    if (complete && rest !== "") onEvent({ type: "string-delta", path: stringPath, text: rest });
    onEvent({ type: "string-close", path: stringPath, complete });
  }

  function readToken(chunk: string, from: number): number {
    let at = from;
    while (at < chunk.length && /[-+.\w]/.test(chunk[at]!)) at++;
    token += chunk.slice(from, at);
    if (token.length > tokenCharacters) problem = "a number is too long";
    else if (at < chunk.length) endToken();
    return at;
  }

  function endToken(): void {
    inside = undefined;
    let value: number | boolean | null;
    try {
      // The token consists of letters, digits and signs, so it can only be a number, a boolean or
      // null.
      value = JSON.parse(token) as number;
    } catch {
      problem = `${JSON.stringify(token.slice(0, 40))} is not a value`;
      return;
    }
    onEvent({ type: "value", path: path.slice(), value });
    settle();
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_SURROGATE = 0xd800;

/** Characters that may follow a backslash, and their meanings. */
const ESCAPES = '"\\/bfnrt';
const ESCAPED = '"\\/\b\f\n\r\t';

/** What may come next. `value-or-end` and `key-or-end` also accept the closing bracket. */
type Expect = "value" | "value-or-end" | "key-or-end" | "colon" | "comma-or-end" | "nothing";
