/** Maximum nesting of lists and dictionaries. */
const DEPTH_LIMIT = 64;
/** White space and comments, which JSON does not allow. */
const WHITE = /(?:\s+|\/\*[^]*?\*\/|\/\/[^\n]*)*/y;
/** Full-width punctuation, as typed on a Chinese keyboard. */
const WIDE: Readonly<Record<string, string>> = { ":": "：", ",": "，" };
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”" };
const WORD = /[A-Za-z_][\w.-]*/y;
const NUMBER = /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
const ESCAPED: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "\n": "",
};

/** A function call in Python: its name and its keyword arguments. */
export interface CalledFunction {
  name: string;
  input: Record<string, unknown>;
}

/**
 * Parses JSON as models write it, or a Python literal: line breaks and invalid escapes in strings,
 * single, triple and curly quotes, `True`, trailing commas, comments.
 * @param mayLackEnd whether brackets may be missing at the end, or superfluous, since something
 * after it marks the end; quotes may not
 * @throws SyntaxError if it is neither
 */
export function readLiteral(text: string, mayLackEnd = false): unknown {
  const reader = createReader(text, mayLackEnd);
  const values = [reader.value()];
  // Several values in a row, without a separator.
  while (!reader.isOver() && !(mayLackEnd && reader.closes())) values.push(reader.value());
  return values.length === 1 ? values[0] : values;
}

/**
 * Parses Python calls, `name(path="a", content="""…""")`, alone, in a list or in a `print(…)`.
 * @throws SyntaxError if there is anything else
 */
export function readPythonCalls(text: string): CalledFunction[] {
  const reader = createReader(text, false);
  const calls: CalledFunction[] = [];
  const inList = reader.takes("[");
  while (!reader.isOver() && !(inList && reader.takes("]"))) {
    calls.push(reader.call());
    reader.takes(inList ? "," : ";");
  }
  if (!reader.isOver()) throw new SyntaxError("words behind the calls");
  return calls;
}

function createReader(text: string, mayLackEnd: boolean) {
  let at = 0;
  let depth = 0;

  const skip = () => {
    WHITE.lastIndex = at;
    at += WHITE.exec(text)![0].length;
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const isOver = () => {
    skip();
    return at >= text.length;
  };
  const takes = (mark: string) => {
    skip();
    const wide = WIDE[mark];
    const taken = [mark, wide].find((one) => one !== undefined && text.startsWith(one, at));
    at += taken?.length ?? 0;
    return taken !== undefined;
  };
  const fail = (): never => {
    throw new SyntaxError(`nothing that can be read at ${at}`);
  };

  /** Whether the text between brackets is at its end. */
  const ends = (close: string) => takes(close) || (mayLackEnd && isOver());

  function string(): string {
    const one = text[at]!;
    const isTriple = text.startsWith(one.repeat(3), at);
    const quote = isTriple ? one.repeat(3) : CLOSING[one]!;
    // Two quotes are an empty string.
    at += quote.length;
    const pieces: string[] = [];
    for (let from = at; ;) {
      if (at >= text.length) fail();
      if (text.startsWith(quote, at)) {
        pieces.push(text.slice(from, at));
        at += quote.length;
        return pieces.join("");
      }
      if (text[at] !== "\\") {
        at++;
        continue;
      }
      pieces.push(text.slice(from, at));
      const code = /^(?:u([\da-f]{4})|x([\da-f]{2}))/i.exec(text.slice(at + 1, at + 6));
      const next = text[at + 1] ?? fail();
      // An invalid escape is kept literally, as in a pattern.
      if (code) pieces.push(String.fromCharCode(Number.parseInt(code[1] ?? code[2]!, 16)));
      else pieces.push(ESCAPED[next] ?? `\\${next}`);
      at += 1 + (code?.[0].length ?? 1);
      from = at;
    }
  }

  function value(): unknown {
    skip();
    const first = text[at];
    if (first !== undefined && Object.hasOwn(CLOSING, first)) return string();
    if (first === "{" || first === "[") {
      if (++depth > DEPTH_LIMIT) fail();
      at++;
      const read = first === "{" ? dictionary() : list();
      depth--;
      return read;
    }
    const number = match(NUMBER);
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const word = match(WORD);
    return word !== undefined && Object.hasOwn(WORDS, word) ? WORDS[word] : fail();
  }

  function list(): unknown[] {
    const values: unknown[] = [];
    while (!ends("]")) {
      values.push(value());
      if (takes(",")) continue;
      if (!ends("]")) fail();
      break;
    }
    return values;
  }

  function dictionary(): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    while (!ends("}")) {
      skip();
      const isQuoted = Object.hasOwn(CLOSING, text[at] ?? "");
      const key = isQuoted ? string() : (match(WORD) ?? fail());
      if (!takes(":")) fail();
      entries.push([key, value()]);
      if (takes(",")) continue;
      if (!ends("}")) fail();
      break;
    }
    return Object.fromEntries(entries);
  }

  function call(): CalledFunction {
    skip();
    const name = match(WORD) ?? fail();
    if (!takes("(")) fail();
    if (name === "print") {
      if (++depth > DEPTH_LIMIT) fail();
      const inner = call();
      if (!takes(")")) fail();
      return inner;
    }
    const entries: [string, unknown][] = [];
    while (!takes(")")) {
      skip();
      const key = match(WORD) ?? fail();
      if (!takes("=")) fail();
      entries.push([key, value()]);
      if (takes(",")) continue;
      if (!takes(")")) fail();
      break;
    }
    return {
      name: name.replace(/^(?:default_api|functions|tools)\./, "").replace(/\.call$/, ""),
      input: Object.fromEntries(entries),
    };
  }

  /** Whether only brackets are left. */
  const closes = () =>
    /^[\s\]}]*$/.test(text.slice(at, at + DEPTH_LIMIT)) && text.length - at < DEPTH_LIMIT;

  return { value, call, takes, isOver, closes };
}
