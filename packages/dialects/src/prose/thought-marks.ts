import { THINKING } from "./scanner.ts";

/** The tag in which reasoning is passed to the parsers; both know it. */
const OPEN = "<think>";
const CLOSE = "</think>";
/** Names of reasoning tags, in any case and with any prefix and attributes. */
const NAMES = [
  ...THINKING,
  "analysis",
  "antthinking",
  "chain_of_thought",
  "inner_monologue",
  "inner_thoughts",
  "internal_monologue",
  "scratch_pad",
];
/** Prefixes of these names. */
const PREFIXES = ["", "seed:", "antml:", "model:"];
/** Marks of chat templates, which appear if a server does not know the template. */
const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|channel>thought", "<channel|>"],
  ["<unused94>thought", "<unused95>"],
];

/** Whether a tag of that name contains reasoning. */
export const isAside = (name: string): boolean => new RegExp(`^${NAME}$`, "i").test(name);

const NAME = `(?:${PREFIXES.join("|")})(?:${NAMES.join("|")})`;
const TAG = new RegExp(`^<(${NAME})(\\s[^<>]{0,160})?>`, "i");
/** gpt-oss: the recipient of a message. One that calls a tool is not included. */
const CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>(analysis|commentary|final)[ \t]{0,8}(?:<\|constrain\|>\w{1,16})?<\|message\|>/; // prettier-ignore
const MAY_BE_CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>[a-z]{0,10}[ \t]{0,8}(?:<\|?[a-z]{0,10}\|?>?\w{0,16}){0,2}$/; // prettier-ignore
const CHANNEL_BEGIN = "<|start|>assistant<|channel|>";
const CHANNEL_END = /<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)/;
/** End marks of messages, which have no meaning and which a server normally removes. */
const OVER = [
  "<|end|>",
  "<|return|>",
  "<|im_end|>",
  "<|im_start|>assistant",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|END_OF_TURN_TOKEN|>",
  "<end_of_turn>",
  "<｜end▁of▁sentence｜>",
];
/** Possible beginnings of a mark, including incomplete ones at the end of a chunk. */
const MAY_BEGIN = new RegExp(`<[|｜]|<unused|<end_of|◁|\\[T|<(?=${NAME}[\\s>])`, "gi"); // prettier-ignore
const TAIL = /(?:<[^<>\n]{0,200}|<\|[^\n]{0,80}|\[[A-Z/]{0,6}|◁\/?[a-z]{0,5})$/i;
/** Number of characters of open reasoning that are held, as its end may have begun in them. */
const END_LIMIT = 24;

type Mark =
  /** What follows is reasoning, up to `close`. */
  | { type: "thought"; length: number; close: RegExp }
  /** A mark without meaning. */
  | { type: "nothing"; length: number };

const literally = (text: string) => text.replaceAll(/[|[\]()]/g, String.raw`\$&`);

function markAt(rest: string, startsLine: boolean): Mark | undefined {
  const pair = PAIRS.find(([open]) => rest.startsWith(open));
  if (pair && (startsLine || rest.startsWith("<|")))
    return { type: "thought", length: pair[0].length, close: new RegExp(literally(pair[1])) };
  const [channel, name] = CHANNEL.exec(rest) ?? [];
  if (channel !== undefined)
    return name === "analysis"
      ? { type: "thought", length: channel.length, close: CHANNEL_END }
      : { type: "nothing", length: channel.length };
  const closing = OVER.find((mark) => rest.startsWith(mark));
  if (closing !== undefined) return { type: "nothing", length: closing.length };
  const [tag, tagName = "", attributes = ""] = (startsLine && TAG.exec(rest)) || [];
  // The parsers handle these themselves.
  if (tag === undefined || attributes.endsWith("/") || (attributes.trim() === "" && THINKING.includes(tagName)))
    return undefined; // prettier-ignore
  return { type: "thought", length: tag.length, close: new RegExp(`</\\s{0,8}${tagName}\\s{0,8}>`, "i") }; // prettier-ignore
}

/** Whether the end of a chunk may still become a mark. */
function mayBecome(rest: string, startsLine: boolean): boolean {
  if (
    ["<|channel|>", CHANNEL_BEGIN, ...OVER].some((mark) => mark.startsWith(rest)) ||
    MAY_BE_CHANNEL.test(rest)
  )
    return true;
  if (PAIRS.some(([open]) => open.startsWith(rest) && (startsLine || open.startsWith("<|"))))
    return true;
  const [, name = "", more] = /^<([a-z_:]{0,40})(\s[^<>]{0,160})?$/i.exec(rest) ?? [];
  const written = name.toLowerCase();
  if (!startsLine || rest[0] !== "<") return false;
  return PREFIXES.some((prefix) =>
    NAMES.some((one) => (more === undefined ? (prefix + one).startsWith(written) : prefix + one === written)),
  ); // prettier-ignore
}

/**
 * A text with rewritten reasoning: the passed text, the held end, and how the open reasoning ends.
 */
export interface Rewritten {
  passed: string;
  held: string;
  close: RegExp | undefined;
}

export interface ThoughtRewriter {
  write(chunk: string): void;
  end(): void;
  state(): Omit<Rewritten, "passed">;
  /**
   * The passed text was rewritten again while it was parsed; continues from there.
   * @returns the passed text
   */
  goOnFrom(again: Rewritten): string;
}

/** Whether a text may contain reasoning in other markup. */
export const mayHoldThought = (text: string): boolean => text.search(MAY_BEGIN) !== -1;

/**
 * Rewrites reasoning in other markup to `<think>` while the text streams: tags in another case,
 * with a prefix or attributes, marks of chat templates, and the channels of gpt-oss. A call within
 * reasoning must not be run.
 * @param isProse whether the next text is neither content nor code nor reasoning, given the text
 * passed so far
 * @param pass receives the text
 */
export function rewriteThoughts(
  isProse: () => boolean,
  pass: (text: string) => void,
): ThoughtRewriter {
  let held = "";
  let startsLine = true;
  let lastCode = 0;
  let close: RegExp | undefined;
  let ended = false;

  const give = (text: string) => {
    if (text === "") return;
    const line = text.slice(text.lastIndexOf("\n") + 1);
    startsLine = (startsLine || line.length < text.length) && line.trim() === "";
    lastCode = text.charCodeAt(text.length - 1);
    pass(text);
  };

  const takeHeld = () => {
    const text = held;
    held = "";
    return text;
  };

  /** Passes on text up to a mark. @returns the text after the mark */
  const readPlain = (text: string): string => {
    // The text contains nothing that could end the current state or begin a mark.
    if (!/[<[◁]/.test(text) || (!/[>\n]/.test(text) && !isProse())) {
      give(text);
      return close ? takeHeld() : "";
    }
    let from = 0;
    for (const { index } of text.matchAll(MAY_BEGIN)) {
      const line = text.slice(text.lastIndexOf("\n", index - 1) + 1, index);
      const begins = line.trim() === "" && (line.length < index || text[0] === "\n" || startsLine);
      const mark = markAt(text.slice(index, index + 256), begins);
      if (!mark || (index > 0 ? text.charCodeAt(index - 1) : lastCode) === 96) continue;
      give(text.slice(from, index));
      from = index;
      if (close) return takeHeld() + text.slice(index);
      if (!isProse()) continue;
      if (mark.type === "thought") {
        ({ close } = mark);
        pass(OPEN);
      }
      return text.slice(index + mark.length);
    }
    const rest = text.slice(from);
    const [tail] = TAIL.exec(rest.slice(-256)) ?? [];
    const before = tail === undefined ? rest.length : rest.length - tail.length;
    const line = rest.slice(rest.lastIndexOf("\n", before - 1) + 1, before);
    const begins = line.trim() === "" && (line.length < before || startsLine);
    if (tail !== undefined && mayBecome(tail, begins)) {
      give(rest.slice(0, before));
      if (close) return takeHeld() + tail;
      if (isProse()) {
        held = tail;
        return "";
      }
      give(tail);
    } else give(rest);
    return close ? takeHeld() : "";
  };

  /** Removes anything that would close the substituted tag. */
  const inThought = (text: string) =>
    close ? text.replaceAll(/<(?=\/\s{0,8}think)/gi, "&lt;") : text;

  const giveThought = (text: string) => {
    if (text !== "") pass(inThought(text));
  };

  const readThought = (text: string): string => {
    const end = close!.exec(text);
    if (!end) {
      const less = text.slice(-END_LIMIT).search(/[<[◁]/);
      const to = less === -1 ? text.length : Math.max(0, text.length - END_LIMIT) + less;
      giveThought(text.slice(0, to));
      held = text.slice(to);
      return "";
    }
    giveThought(text.slice(0, end.index));
    pass(CLOSE);
    close = undefined;
    lastCode = 0;
    startsLine = true;
    return text.slice(end.index + end[0].length);
  };

  return {
    write(chunk) {
      let text = held + chunk;
      held = "";
      while (text !== "") text = close ? readThought(text) : readPlain(text);
    },
    end() {
      ended = true;
      if (close) giveThought(held);
      else give(held);
      held = "";
    },
    state: () => ({ held, close }),
    goOnFrom(again) {
      ({ close } = again);
      // An incomplete mark is passed unchanged, since it follows a tag that was just parsed.
      held = close && !ended ? again.held : "";
      return again.passed + (held === "" ? inThought(again.held) : "");
    },
  };
}
