import { formatToolCalls, type ToolCallText } from "./serialize.ts";

/** How calls begin that models were trained to write and that are no tags of tools; what says that it is one stands behind. */
const OPENING = /^<(?:(tool_call|function_call|tool_use)>\s*[[{]|function=([\w-]+)>)/;
const LINE_START = /(?:^|\n)[ \t]*</g;
/** Characters in which it is clear whether a call begins; of a call, which is held; a longer one is text. */
const OPENING_LIMIT = 96;
const HELD_LIMIT = 2_097_152;
/** What may still become that. */
const MAY_OPEN =
  /^<(?:[a-z_]{0,13}|(?:tool_call|function_call|tool_use)>\s*|function=[\w-]{0,64})$/;
const OPENS = "<parameter=";
const PARAMETER = /(?:^|<parameter=)([\w-]+)>(?:\r?\n)?([^]*?)(?:\r?\n)?<\/parameter>\s*$/;

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
    const lines = text.includes("<") ? text.matchAll(LINE_START) : [];
    for (const { 0: line, index } of lines) {
      if (!line.startsWith("\n") && !startsLine) continue;
      const less = index + line.length - 1;
      const rest = text.slice(less, less + OPENING_LIMIT);
      const [, tag, name] = OPENING.exec(rest) ?? [];
      const begins = tag !== undefined || (name !== undefined && names.includes(name));
      const mayBegin = text.length - less < OPENING_LIMIT && MAY_OPEN.test(rest);
      if (!begins && !mayBegin) continue;
      give(text.slice(0, less));
      if (!isProse()) {
        give("<");
        return text.slice(less + 1);
      }
      if (mayBegin) candidate = rest;
      else close = tag === undefined ? "</function>" : `</${tag}>`;
      return mayBegin ? "" : text.slice(less);
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
    const calls = length > HELD_LIMIT ? undefined : readCalls(body, names);
    held = [];
    length = 0;
    tail = close = "";
    give(calls ? formatToolCalls(calls) : text);
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

/** The calls that a text is; undefined where it is none, or calls a tool that there is not. */
function readCalls(text: string, names: readonly string[]): ToolCallText[] | undefined {
  const [, name] = /^<function=([\w-]+)>/.exec(text) ?? [];
  if (name !== undefined) {
    return [{ name, params: Object.fromEntries(readParameters(text)) }];
  }
  try {
    const read: unknown = JSON.parse(text.slice(text.indexOf(">") + 1));
    const calls = [read].flat().map((call) => toCall(call as Record<string, unknown>, names));
    return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
  } catch {
    return undefined;
  }
}

/** One ends where the next begins. A pattern over all of them takes the square of a text that closes none (A78). */
function readParameters(text: string): [string, string][] {
  const pieces = text.split(OPENS);
  let from = 1;
  return pieces.flatMap((piece, at) => {
    if (at === 0 || !piece.trimEnd().endsWith("</parameter>")) return [];
    const [, name, value] = PARAMETER.exec(pieces.slice(from, at + 1).join(OPENS)) ?? [];
    from = at + 1;
    return name === undefined ? [] : [[name, value!]];
  });
}

function toCall(
  { name, arguments: args, parameters, input }: Record<string, unknown>,
  names: readonly string[],
): ToolCallText | undefined {
  const given = args ?? parameters ?? input ?? {};
  const values: unknown = typeof given === "string" ? JSON.parse(given) : given;
  if (typeof name !== "string" || !names.includes(name)) return undefined;
  if (typeof values !== "object" || values === null || Array.isArray(values)) return undefined;
  const params = Object.entries(values).map(
    ([param, value]) => [param, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  if (!params.every(([param]) => /^[\w-]+$/.test(param))) return undefined;
  return { name, params: Object.fromEntries(params) };
}
