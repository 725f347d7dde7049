/** Number of characters within which it is decided whether a call begins. */
export const OPENING_LIMIT = 160;
/** No closing mark: the call extends to the end of the message. */
export const UNTIL_END = "\0";
/** No closing mark: the call ends with its matching bracket. */
export const BALANCED = "\0{}";

/** The beginning of something that models were trained to write around calls. */
export type Opening =
  | Call
  /** A meaningless mark around several calls. */
  | { type: "mark"; length: number };

/**
 * A call that ends with `close`. A `bare` one has no mark around it, and may be an example. One
 * after words on its line counts if it is well-formed and only the line's end, or a tag, follows.
 */
interface Call {
  type: "call";
  close: string;
  isBare?: true;
  words?: boolean;
}

/** Possible beginnings; all other text is passed on without a check. */
export const MAY_BEGIN =
  /<[|｜]|<(?=\/?tool|function|TOOLCALL|invoke)|\[TOOL_CALLS\]|\[(?=tool_call\]|TOOL_)|\{(?=\s*"(?:name|tool|tool_name|function)")|(?:^|\n)[ \t]*(?:\[|\{\s*"|functools\[|(?:assistant ?)?(?:commentary ?)?to=)/g;
/** Tags around JSON, or around a template's own names and values. */
const TAGGED =
  /^<(tool_call|function_call|tool_use|invoke)>\s*(?=[[{`]|<function=|<(?:tool_)?name>|[\w-]+\s*(?:<arg_key>|<tool_sep>|`{3}|\{))/;
/** Tags that also have other uses. */
const LISTED = /^<(tool_calls|tools|tool|TOOLCALL)>\s*(?=[[{])/;
const BRACKETED = /^\[(tool_call|TOOL_CALL|TOOL_REQUEST)\]\s*(?=[[{])/;
const FUNCTION = /^<function=([\w-]+)>/;
const MARKED = /^<([|｜])tool([▁_])call\2begin\1>/;
const CLOSED: readonly (readonly [begin: string, end: string])[] = [
  ["<|tool_call_start|>", "<|tool_call_end|>"],
  ["<|action_start|>", "<|action_end|>"],
  ["<|START_ACTION|>", "<|END_ACTION|>"],
  ["<|tools_prefix|>", "<|tools_suffix|>"],
];
const ENDLESS = /^(?:\[TOOL_CALLS\]|<\|(?:python_tag|python_start|tool_call)\|>|functools(?=\[))/;
/** gpt-oss: the recipient of a message, before or in its channel. */
const ADDRESSED =
  /^(?:<\|start\|>)?(?:assistant)? ?(?:<\|channel\|>)?(?:commentary|analysis)? ?to=(?:functions\.)?([\w-]+)(?=[^\w.-])/;
/** Marks around several calls. */
const AROUND =
  /^(?:<([|｜])tool([▁_])calls(?:\2section)?\2(?:begin|end)\1>|<tool_calls>\s*(?=<tool_call)|<\/tool_calls?>)/;
/** JSON that can only be a call. */
const BARE =
  /^(?:\[\s*)?\{\s*"(?:name|tool|tool_name|action|type|function|id|tool_calls|toolcalls|arguments|parameters)"\s*:/;
/** Matches JSON that can only be a call, after words on its line. */
const BEHIND_WORDS = /^\{\s*"(?:name|tool|tool_name|function)"\s*:\s*["{]/;
const PYTHON = /^\[\s*([A-Za-z_]\w*)\(/;

/** Match incomplete forms of these beginnings. */
const MAY_OPEN = [
  /^<(?:[a-zA-Z_/]{0,14}|(?:tool_calls?|function_call|tool_use|tools?|TOOLCALL|invoke)>\s*[\w-]{0,64}\s*(?:<[a-z_=]{0,9}|`{1,2})?|tool_calls>\s*<?t?o?o?l?_?c?a?l?l?|function=[\w-]{0,64}|[|｜][\w▁]{0,24}[|｜]?)$/,
  /^(?:<\|start\|>)?(?:assistant)? ?(?:<\|channel\|?>?)?[a-z]{0,10} ?(?:to?=?[\w.-]{0,80})?$/,
  /^\[[A-Za-z_]{0,64}\]?\s*$/,
  /^(?:\[\s*)?\{\s*(?:"\w{0,12}(?:"\s*(?::\s*)?)?)?$/,
  /^f(?:u(?:n(?:c(?:t(?:o(?:o(?:l(?:s\[?)?)?)?)?)?)?)?)?$/,
]; // prettier-ignore

/**
 * The opening with which a text begins; `"more"` if only further text can decide; undefined if it begins with none.
 * @param startsLine whether a line begins there; marks that never occur in prose may be elsewhere
 * @param knows whether there is a tool of a name
 */
export function openingAt(
  rest: string,
  startsLine: boolean,
  knows: (name: string) => boolean,
): Opening | "more" | undefined {
  const words = !startsLine;
  const call = (close: string): Call => ({ type: "call", close });
  const [around] = AROUND.exec(rest) ?? [];
  if (around !== undefined) return { type: "mark", length: around.length };
  const [marked, bar, gap] = MARKED.exec(rest) ?? [];
  if (marked !== undefined) return call(`<${bar}tool${gap}call${gap}end${bar}>`);
  for (const [begin, end] of CLOSED) if (rest.startsWith(begin)) return call(end);
  if (ENDLESS.test(rest) && (startsLine || !rest.startsWith("f"))) return call(UNTIL_END);
  const [, addressed] = (startsLine || rest.startsWith("<")) ? (ADDRESSED.exec(rest) ?? []) : []; // prettier-ignore
  if (addressed !== undefined) return knows(addressed) ? call("<|call|>") : undefined;
  const [tagged, tag] = TAGGED.exec(rest) ?? LISTED.exec(rest) ?? [];
  if (tagged !== undefined) return { ...call(`</${tag}>`), words };
  const [bracketed, bracket] = BRACKETED.exec(rest) ?? [];
  if (bracketed !== undefined)
    return {
      ...call(bracket === "TOOL_REQUEST" ? "[END_TOOL_REQUEST]" : `[/${bracket}]`),
      words,
    };
  const [, named] = FUNCTION.exec(rest) ?? [];
  if (named !== undefined) return knows(named) ? { ...call("</function>"), words } : undefined;
  const [, called] = (startsLine && PYTHON.exec(rest)) || [];
  const isJson = startsLine ? BARE.test(rest) : BEHIND_WORDS.test(rest);
  if (isJson || (called !== undefined && knows(called)))
    return { type: "call", close: BALANCED, isBare: true, words };
  if (rest.length >= OPENING_LIMIT) return undefined;
  if (!startsLine && !/^(?:<[|｜]?|\[[Tt]|\[$|\{)/.test(rest)) return undefined;
  return MAY_OPEN.some((pattern) => pattern.test(rest)) ? "more" : undefined;
}
