import { goesOnInSentence } from "../prose/behind-words.ts";
import { callsIn } from "./calls-in.ts";
import { BALANCED, MAY_BEGIN, openingAt, OPENING_LIMIT, type Opening } from "./foreign-openings.ts";
import { formatJsonCalls } from "./serialize.ts";

/** Maximum length of a held call, in characters; a longer one is text. */
const HELD_LIMIT = 2_097_152;
/** An incomplete beginning at the end of a chunk. */
const TAIL =
  /(?:<[^<\n]{0,40}|\{\s{0,8}(?:"\w{0,12}(?:"\s{0,8}(?::\s{0,8})?)?)?|\[[A-Z_]{0,12}|(?:^|\n)[ \t]*(?:[[{][\s\w"[{]{0,40}|[acft][a-z ]{0,24}(?:=[\w.-]{0,80})?))$/;

interface ForeignCalls {
  write(chunk: string): void;
  end(): void;
  isHolding(): boolean;
  /** Whether it holds text that began as JSON, whose strings have no line of their own. */
  holdsJson(): boolean;
}

/**
 * Maximum number of opening tags in place of closing ones (models omit the slash) that are examined
 * in a call.
 */
const TRIES = 8;
/** The text after such a tag if it opens the next call, complete or incomplete. */
const OPENS_AGAIN = /^\s*(?:\{|\[\s*\{|<(?:function=|(?:tool_)?name>))/;
const MAY_OPEN_AGAIN = /^\s*(?:\[\s*|<[a-z_=]{0,9})?$/;

/**
 * Rewrites calls in other spellings as tags of the tools while the text streams:
 * `<tool_call>{"name": …, "arguments": …}`, `<function=NAME><parameter=NAME>`, marks of chat
 * templates, and a bare JSON or Python call at the start of a line. Text that is none, or calls no
 * tool of `names`, is unchanged.
 * @param isProse whether the next text is neither content nor code nor reasoning, given the text
 * passed so far
 * @param isShown whether a preceding sentence announces an example
 * @param pass receives the text
 */
export function rewriteForeignCalls(
  names: readonly string[],
  isProse: () => boolean,
  isShown: () => boolean,
  pass: (text: string) => void,
): ForeignCalls {
  const knows = (name: string) => names.includes(name);
  /** A short text that may begin a call, until that is decided. */
  let candidate = "";
  let startsLine = true;
  /**
   * The held call, in chunks since it may be a large file; and its end, in which the closing mark
   * may have begun.
   */
  let held: string[] = [];
  let length = 0;
  let tail = "";
  let close = "";
  let isJson = false;
  let tries = 0;
  /**
   * How often text held in vain after words may be parsed again in a message, so that time stays
   * linear.
   */
  let rereads = TRIES;
  /** A tag that closed a call, and may open the next. */
  let closing = "";
  /** Whether the held call begins after words on its line. */
  let isBehindWords = false;
  /** A call after words, held until the text after it on its line is known. */
  let followed = "";
  let followedClose = "";
  /** Bracket and string state of a call without an end mark. */
  let depth = 0;
  let quote = "";
  let escapes = false;

  const give = (text: string) => {
    if (text === "") return;
    const line = text.slice(text.lastIndexOf("\n") + 1);
    startsLine = (startsLine || line.length < text.length) && line.trim() === "";
    pass(text);
  };

  const beginsLine = (text: string, at: number) => {
    const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
    return line.trim() === "" && (at > line.length || startsLine);
  };

  /**
   * Outputs a call after words, as a call or as a part of its sentence.
   * @returns whether that is decided
   */
  const readFollowed = (text: string, isWhole: boolean): boolean => {
    const goesOn = goesOnInSentence(text, isWhole || text.length > OPENING_LIMIT);
    if (goesOn === "more") return false;
    const written = followed;
    followed = "";
    const calls = goesOn ? undefined : callsOf(written, followedClose);
    give(calls ? `\n${formatJsonCalls(calls)}\n` : written);
    return true;
  };

  const readPlain = (text: string): string => {
    if (followed !== "" && !readFollowed(text, false)) {
      candidate = text;
      return "";
    }
    if (closing !== "") {
      const behind = text.slice(closing.length, OPENING_LIMIT);
      if (MAY_OPEN_AGAIN.test(behind)) {
        candidate = text;
        return "";
      }
      const only = closing;
      closing = "";
      if (!OPENS_AGAIN.test(behind)) return text.slice(only.length);
    }
    // Most short chunks contain no beginning of a call.
    const found = /[<[{=]|functools/.test(text) ? text.matchAll(MAY_BEGIN) : [];
    for (const { 0: begin, index } of found) {
      const at = index + begin.search(/\S/);
      const opening = openingAt(text.slice(at, at + OPENING_LIMIT), beginsLine(text, at), knows);
      if (opening !== undefined) return opened(text, at, opening);
    }
    const [end = ""] = TAIL.exec(text.slice(-OPENING_LIMIT)) ?? [];
    const at = text.length - end.trimStart().length;
    if (end === "" || openingAt(text.slice(at), beginsLine(text, at), knows) !== "more") {
      give(text);
      return "";
    }
    return opened(text, at, "more");
  };

  /**
   * Handles the beginning of one or several calls, or a possible one.
   * @returns the unread text
   */
  const opened = (text: string, at: number, opening: Opening | "more"): string => {
    const behindTick = text[at - 1] === "`";
    give(text.slice(0, at));
    const isOnlyShown = typeof opening === "object" && "isBare" in opening && isShown();
    if (behindTick || isOnlyShown || !isProse()) {
      give(text[at]!);
      return text.slice(at + 1);
    }
    if (opening === "more") {
      candidate = text.slice(at);
      return "";
    }
    if (opening.type === "mark") return text.slice(at + opening.length);
    ({ close, words: isBehindWords = false } = opening);
    depth = 0;
    quote = "";
    escapes = false;
    isJson = /^(?:<[^>]*>|\[\w+\])?\s*[[{]/.test(text.slice(at, at + OPENING_LIMIT));
    tries = TRIES;
    return text.slice(at);
  };

  /**
   * Holds the text up to the call's end.
   * @returns the text after it
   */
  const readHeld = (text: string): string => {
    const at = close === BALANCED ? endOfBrackets(text) : (tail + text).indexOf(close);
    const end = at === -1 ? text.length : close === BALANCED ? at : at + close.length - tail.length;
    held.push(text.slice(0, end));
    length += end;
    tail = (tail + text).slice(1 - close.length);
    const rest = /[>]/.test(text) ? endAtSame() : undefined;
    if (rest !== undefined) return rest + text.slice(end);
    const again = at !== -1 || length > HELD_LIMIT ? release() : "";
    return again + text.slice(end);
  };

  /**
   * Ends a call before a repeated opening tag in place of its end.
   * @returns the text after the call
   */
  const endAtSame = (): string | undefined => {
    if (!isJson || !close.startsWith("</") || tries === 0) return undefined;
    const text = held.join("");
    const opening = `<${close.slice(2)}`;
    const at = text.indexOf(opening, opening.length);
    if (at === -1 || !/[}\]]\s*$/.test(text.slice(Math.max(0, at - 64), at))) return undefined;
    tries--;
    if (!callsIn(text.slice(0, at), names, false)) return undefined;
    held = [text.slice(0, at)];
    release();
    closing = opening;
    return text.slice(at);
  };

  /** The position after the bracket that closes the first one; -1 if it is not there yet. */
  const endOfBrackets = (text: string): number => {
    for (let at = 0; at < text.length; at++) {
      const one = text[at]!;
      if (escapes) escapes = false;
      else if (quote !== "") {
        if (one === "\\") escapes = true;
        else if (one === quote) quote = "";
      } else if (one === '"') quote = one;
      else if (one === "{" || one === "[") depth++;
      else if ((one === "}" || one === "]") && --depth === 0) return at + 1;
    }
    return -1;
  };

  /** Parses a held text, which ends with `end`, as calls. */
  const callsOf = (text: string, end: string) => {
    const isBare = end === BALANCED;
    const body = !isBare && text.endsWith(end) ? text.slice(0, -end.length) : text;
    return text.length > HELD_LIMIT ? undefined : callsIn(body, names, isBare);
  };

  /**
   * Outputs the held text.
   * @returns the text to read again: after words, a non-call must not hide a call
   */
  const release = (): string => {
    const text = held.join("");
    held = [];
    length = 0;
    const calls = callsOf(text, close);
    const isTag = close.startsWith("</");
    // A call over several lines is not part of a sentence.
    if (calls && isBehindWords && !text.includes("\n")) {
      followed = text;
      followedClose = close;
      tail = close = "";
      return "";
    }
    tail = close = "";
    if (!calls && isBehindWords && rereads-- > 0) {
      give(text[0]!);
      return text.slice(1);
    }
    // Another one may begin right after it; after words, the call gets a line of its own.
    const before = isBehindWords ? "\n" : "";
    give(calls ? before + formatJsonCalls(calls) + (isTag && !isBehindWords ? "" : "\n") : text);
    return "";
  };

  return {
    write(chunk) {
      let text = candidate + chunk;
      candidate = "";
      while (text !== "") text = close === "" ? readPlain(text) : readHeld(text);
    },
    end() {
      while (close !== "") {
        let text = release();
        while (text !== "") text = close === "" ? readPlain(text) : readHeld(text);
      }
      if (followed !== "") readFollowed(candidate, true);
      give(candidate.slice(closing.length));
      candidate = closing = "";
    },
    // A word that may still name a recipient is prose so far.
    isHolding: () => close !== "" || followed !== "" || /^[<[{]/.test(candidate),
    holdsJson: () => closing !== "" || followed !== "" || (close !== "" && isJson),
  };
}
