import { createSurrogateJoiner } from "../text/surrogates.ts";
import type {
  ArgumentLimits,
  ArgumentPath,
  ArgumentReader,
  ArgumentReaderOptions,
} from "./types.ts";

/** The limits of the argument reader where none are given. */
export const ARGUMENT_LIMITS: ArgumentLimits = {
  // Arguments of tools are flat; deeper than this is an attack or a loop.
  depth: 256,
  // A key is a parameter's name or, at most, a path.
  tokenCharacters: 16_384,
};

/**
 * Reads a tool call's JSON arguments as they stream: strings are given out decoded while they grow, so that a long file
 * costs its characters once, and are well formed. It takes line breaks inside strings and a comma before a closing bracket as models write
 * them. No input makes it throw.
 */
export function createArgumentReader({ onEvent, limits }: ArgumentReaderOptions): ArgumentReader {
  const { depth, tokenCharacters } = { ...ARGUMENT_LIMITS, ...limits };
  /** A key (string) marks an object, an index (number) an array. */
  const path: ArgumentPath = [];
  let expect: Expect = "value";
  let inside: "key" | "string" | "token" | undefined;
  let stringPath: ArgumentPath = [];
  /** What is held of a key or of a number, and of an escape. */
  let token = "";
  let escape = "";
  /** A model may escape the halves of a character apart from each other, or one of them alone. */
  const joiner = createSurrogateJoiner();
  /** All UTF-16 units of keys and strings, joined by or: below `FIRST_SURROGATE` there was no half of a pair among them. */
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

  /** Reads a character between values; false when it begins a number or a word, and is to be read again. */
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

  /** A value is whole: what may follow depends on what it stands in. */
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
    // Of a string that was cut, half a character is none yet.
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
      // Letters, digits and signs only: what they can make is a number, a boolean or null.
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

/** What may stand behind a backslash, and what each stands for. */
const ESCAPES = '"\\/bfnrt';
const ESCAPED = '"\\/\b\f\n\r\t';

/** What may come next. `value-or-end` and `key-or-end` also take the closing bracket. */
type Expect = "value" | "value-or-end" | "key-or-end" | "colon" | "comma-or-end" | "nothing";
