import { callsIn } from "./calls-in.ts";
import { formatJsonCalls } from "./serialize.ts";

/** How calls begin that models were trained to write and that are no tags of tools; what says that it is one stands behind. */
const OPENING =
  /^(?:<(tool_call|function_call|tool_use)>\s*(?=[[{`]|<function=|<(?:tool_)?name>|[\w-]+\s*<arg_key>)|<function=([\w-]+)>|<([|｜])tool([▁_])call\4begin\3>|(\[TOOL_CALLS\]|<\|(?:python_tag|tool_call)\|>))/;
/** No closing mark: these stand at the end of a message. */
const UNTIL_END = "\0";
/** Marks around several of them, which say nothing. */
const AROUND = /^<([|｜])tool([▁_])calls(?:\2section)?\2(?:begin|end)\1>/;
const LINE_START = /(?:^|\n)[ \t]*[<[]/g;
/** Characters in which it is clear whether a call begins; of a call, which is held; a longer one is text. */
const OPENING_LIMIT = 96;
const HELD_LIMIT = 2_097_152;
/** What may still become that. */
const MAY_OPEN =
  /^(?:<(?:[a-z_]{0,13}|(?:tool_call|function_call|tool_use)>\s*[\w-]{0,64}\s*(?:<[a-z_=]{0,9})?|function=[\w-]{0,64}|[|｜][\w▁]{0,24}[|｜]?)|\[[A-Z_]{0,10})$/;

/**
 * Rewrites calls in other spellings as tags of the tools, as the text comes: `<tool_call>{"name": …, "arguments": …}` and
 * `<function=NAME><parameter=NAME>`, at the beginning of a line. What is none, or calls no tool of `names`, stays as it is.
 * @param isProse whether what comes next is neither content nor code nor thinking, of what was passed on so far
 * @param pass takes the text
 */
export function rewriteForeignCalls(
  names: readonly string[],
  isProse: () => boolean,
  pass: (text: string) => void,
): { write(chunk: string): void; end(): void; isHolding(): boolean } {
  /** From a `<` that may begin a call on: a short text, until that is clear. */
  let candidate = "";
  let startsLine = true;
  /** A call that is being held: in pieces, since it may be a large file; the end of them, in which its end may have begun. */
  let held: string[] = [];
  let length = 0;
  let tail = "";
  let close = "";

  const give = (text: string) => {
    if (text === "") return;
    const line = text.slice(text.lastIndexOf("\n") + 1);
    startsLine = (startsLine || line.length < text.length) && line.trim() === "";
    pass(text);
  };

  const readPlain = (text: string): string => {
    // In short pieces mostly none.
    const lines = /[<[]/.test(text) ? text.matchAll(LINE_START) : [];
    for (const { 0: line, index } of lines) {
      if (!line.startsWith("\n") && !startsLine) continue;
      const less = index + line.length - 1;
      const rest = text.slice(less, less + OPENING_LIMIT);
      const [opening, tag, name, bar, gap] = OPENING.exec(rest) ?? [];
      const [around] = AROUND.exec(rest) ?? [];
      const begins = opening !== undefined && (name === undefined || names.includes(name));
      const mayBegin = text.length - less < OPENING_LIMIT && MAY_OPEN.test(rest);
      if (!begins && !mayBegin && around === undefined) continue;
      give(text.slice(0, less));
      if (!isProse()) {
        give(text[less]!);
        return text.slice(less + 1);
      }
      if (around !== undefined) return text.slice(less + around.length);
      if (mayBegin && !begins) candidate = rest;
      else if (tag !== undefined) close = `</${tag}>`;
      else if (name !== undefined) close = "</function>";
      else close = bar === undefined ? UNTIL_END : `<${bar}tool${gap}call${gap}end${bar}>`;
      return candidate === "" ? text.slice(less) : "";
    }
    give(text);
    return "";
  };

  /** Holds what comes up to the call's end. @returns what stands behind that */
  const readHeld = (text: string): string => {
    const at = (tail + text).indexOf(close);
    const end = at === -1 ? text.length : at + close.length - tail.length;
    held.push(text.slice(0, end));
    length += end;
    tail = (tail + text).slice(1 - close.length);
    if (at !== -1 || length > HELD_LIMIT) release();
    return text.slice(end);
  };

  const release = () => {
    const text = held.join("");
    const body = text.endsWith(close) ? text.slice(0, -close.length) : text;
    const calls = length > HELD_LIMIT ? undefined : callsIn(body, names);
    held = [];
    length = 0;
    const isTag = close.startsWith("</");
    tail = close = "";
    // Another one may begin right behind.
    give(calls ? formatJsonCalls(calls) + (isTag ? "" : "\n") : text);
  };

  return {
    write(chunk) {
      let text = candidate + chunk;
      candidate = "";
      while (text !== "") text = close === "" ? readPlain(text) : readHeld(text);
    },
    end() {
      give(candidate);
      candidate = "";
      if (close !== "") release();
    },
    isHolding: () => close !== "" || candidate !== "",
  };
}
