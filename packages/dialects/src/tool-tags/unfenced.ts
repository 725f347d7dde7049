import { EXAMPLE, FOR_EXAMPLE, SHOWN } from "../prose/example.ts";
import { isAside, rewriteThoughts } from "../prose/thought-marks.ts";
import { callsIn } from "./calls-in.ts";
import { rewriteForeignCalls } from "./foreign-calls.ts";
import { TOOL_TAG_LIMITS } from "./limits.ts";
import { createLenientToolTagParser, type LenientParser } from "./lenient.ts";
import { formatJsonCalls } from "./serialize.ts";
import type { ToolTagParserOptions } from "./types.ts";

/** A sentence that says how calls are written, or how not. */
const SHOWS =
  /\b(?:the|this|following) (?:format|syntax)\b|\blike (?:this|so)\b|\b(?:would|could) (?:be|look|write|call|use|run|say)\b|\b(?:do not|don['’]t|never|avoid|instead of|rather than|wrong|incorrect|invalid)\b/i;
/** A sentence that announces an action shows no example. */
const DOES = /\b(?:let me|let['’]s|I['’]ll|I will|I['’]m going to|I am going to|I need to)\b/i;
/** Fence languages for calls. */
const CALLS = /^tool_?(?:use|calls?|codes?)?$/i;
/** Fence languages for calls that are not tags: they contain names and arguments. */
const MAY_CALL = /^(?:jsonc?|json5)?$/i;
/** Number of characters of prose remembered for a following fence, and of a fence's first line. */
const RECENT_LIMIT = 1_024;
const HEAD_LIMIT = 256;

const HEAD = /^ *(`{3,}|~{3,})([^`~<\n]*)(?:\n|(?=<))/;
/** The start of a line that may open or close a fence, complete or incomplete. */
const MAY_BE_FENCE = /^ *(?:`{0,2}$|~{1,2}$|`{3,}[^`<\n]*(?:[<\n]|$)|~{3,}[^~<\n]*(?:[<\n]|$))/;

/** A fence being examined: nothing of it is output before it is known to contain only calls. */
interface Tried {
  /** The backticks or tildes that opened it. */
  mark: string;
  head: string;
  held: string;
  calls: number;
  isWrong: boolean;
  judge: LenientParser;
  /** Whether its language says that it contains calls. */
  isNamed: boolean;
  /**
   * How it is read: `tried` until decided; `streams` if its language means calls; `json` if such a fence contains them
   * as JSON; `shown` as text up to its end, if the parser does not know such a fence.
   */
  as: "tried" | "streams" | "json" | "shown";
}

/**
 * Like `createToolTagParser`, for models that put their calls into a code fence: if a fence
 * contains nothing else, and no preceding sentence announces an example, it is read as if the fence
 * were not there. Calls in the spellings of other templates, `<tool_call>{…}` and `<function=…>`,
 * are read as tags.
 */
export function createUnfencedToolTagParser(options: ToolTagParserOptions): LenientParser {
  const { valueCharacters } = { ...TOOL_TAG_LIMITS, ...options.limits };
  let recent = "";
  const inner = createLenientToolTagParser({
    ...options,
    onEvent(event) {
      if (event.type === "text") recent = (recent + event.text).slice(-RECENT_LIMIT);
      options.onEvent(event);
    },
  });
  let pending = "";
  let startsLine = true;
  let tried: Tried | undefined;
  /**
   * Number of characters held in vain: a fence among them is not examined, so that nothing is read
   * more than twice.
   */
  let inVain = 0;
  /** Whether the beginning of the examined fence is not known yet. */
  let isFresh = false;
  let ended = false;

  const names = [...Object.keys(options.tools), ...Object.keys(options.aliases ?? {})];
  const isProse = () => (tried && tried.as !== "streams" ? tried.judge : inner).inProse();
  const foreign = rewriteForeignCalls(
    names,
    isProse,
    () => isShown(""),
    (text) => {
      pending += text;
      read(false);
    },
  );
  const thoughts = rewriteThoughts(
    () => (!foreign.isHolding() || foreign.holdsJson()) && isProse(),
    (text) => foreign.write(text),
  );

  return {
    inProse: () => tried === undefined && !foreign.isHolding() && inner.inProse(),
    write(chunk) {
      if (!ended) thoughts.write(chunk);
    },
    end() {
      if (ended) return;
      thoughts.end();
      foreign.end();
      read(true);
      ended = true;
      inner.end();
    },
  };

  function read(isWhole: boolean): void {
    for (;;) {
      if (tried ? !readTried(tried, isWhole) : !readPlain(isWhole)) return;
    }
  }

  /**
   * Passes on text that does not begin a fence.
   * @returns whether there is more to do
   */
  function readPlain(isWhole: boolean): boolean {
    let from = 0;
    while (!startsLine || !MAY_BE_FENCE.test(lineAt(from))) {
      const end = pending.indexOf("\n", from);
      startsLine = end !== -1;
      from = startsLine ? end + 1 : pending.length;
      if (!startsLine) break;
    }
    pass(from);
    if (pending === "") return false;
    const [head, ticks, info] = HEAD.exec(pending) ?? [];
    if (head === undefined) {
      if (!isWhole && pending.length < HEAD_LIMIT && !pending.includes("\n")) return false;
      startsLine = false;
      return true;
    }
    const shown = inVain > 0 || isShown(info!.trim());
    if (!inner.inProse() || (shown && ticks!.startsWith("`"))) startsLine = false;
    else {
      tried = begin(head, ticks!, shown ? "shown" : "tried");
      pending = pending.slice(head.length);
      tried.isNamed = CALLS.test(info!.trim());
      isFresh = !shown && (tried.isNamed || MAY_CALL.test(info!.trim()));
    }
    return true;
  }

  /**
   * Takes a line of a fence.
   * @returns whether there is more to do
   */
  function readTried(fence: Tried, isWhole: boolean): boolean {
    if (isFresh) {
      const first = /\S/.exec(pending)?.[0];
      if (first === undefined && !isWhole) return false;
      isFresh = false;
      if (first === "<") fence.as = fence.isNamed ? "streams" : fence.as;
      else if (fence.isNamed || first === "{" || first === "[") fence.as = "json";
    }
    if (fence.as === "streams") return readStreamed(fence, isWhole);
    const end = pending.indexOf("\n") + 1;
    if (end === 0 && !isWhole && pending.length + fence.held.length <= valueCharacters)
      return false;
    const line = end === 0 ? pending : pending.slice(0, end);
    const isLast = end === 0 && isWhole;
    const closes = fence.as === "tried" ? closesCalls(fence, line) : endOf(fence, line);
    pending = pending.slice(line.length);
    if (closes === undefined) {
      fence.held += line;
      if (fence.as === "tried") fence.judge.write(line);
      if (isLast) fence.judge.end();
    }
    const isOver = fence.isWrong || fence.held.length > valueCharacters;
    if (isOver && fence.mark.startsWith("~")) fence.as = "shown";
    if ((!isOver || fence.as === "shown") && closes === undefined && !isLast) return true;
    tried = undefined;
    startsLine = true;
    const calls = fence.as === "json" ? callsIn(fence.held, names, !fence.isNamed) : undefined;
    if (calls || (!isOver && fence.calls > 0)) {
      inner.write(calls ? formatJsonCalls(calls) : fence.held);
      // The text after the backticks, and the line break, belong to the prose.
      pending = (closes === undefined ? "" : line.slice(closes)) + pending;
      startsLine = closes === undefined;
      recent = "";
    } else {
      const again = fence.head + fence.held + (closes === undefined ? "" : line);
      if (fence.mark.startsWith("~")) emitText(again);
      else {
        inVain = again.length;
        pending = again + pending;
        pass(fence.head.length);
      }
    }
    return pending !== "";
  }

  /**
   * Passes on the text in a fence of calls while it streams.
   * @returns whether there is more to do
   */
  function readStreamed(fence: Tried, isWhole: boolean): boolean {
    const mayEnd = startsLine && /^ *[`~]*$/.test(pending.trimEnd());
    if (pending === "" || (mayEnd && !isWhole && !pending.includes("\n"))) return false;
    const closes = startsLine && inner.inProse() ? endOf(fence, pending) : undefined;
    if (closes === undefined) {
      const end = pending.indexOf("\n") + 1 || pending.length;
      startsLine = pending[end - 1] === "\n";
      pass(end);
      return pending !== "";
    }
    pending = pending.slice(closes);
    tried = undefined;
    startsLine = false;
    recent = "";
    return pending !== "";
  }

  /** The end of the marks with which a line closes a fence; undefined if it does not. */
  function endOf({ mark }: Tried, line: string): number | undefined {
    const [all, marks = ""] = /^ *(`{3,}|~{3,})(?=\s|$)/.exec(line) ?? [];
    return all !== undefined && marks.startsWith(mark) ? all.length : undefined;
  }

  /** The same as `endOf`, for an examined fence: words may follow the marks if calls precede them. */
  function closesCalls(fence: Tried, line: string): number | undefined {
    const end = fence.judge.inProse() ? endOf(fence, line) : undefined;
    return end !== undefined && (fence.calls > 0 || line.slice(end).trim() === "")
      ? end
      : undefined;
  }

  function begin(head: string, mark: string, as: Tried["as"]): Tried {
    const holdsWords = createAsideReader();
    const judge = createLenientToolTagParser(
      {
        ...options,
        onEvent(event) {
          if (event.type === "tool-close") fence.calls++;
          if (event.type === "text" ? holdsWords(event.text) : isWrong(event)) fence.isWrong = true;
        },
      },
      true,
    );
    const fence: Tried = {
      mark,
      head,
      held: "",
      calls: 0,
      isWrong: false,
      isNamed: false,
      judge,
      as,
    };
    return fence;
  }

  function emitText(text: string): void {
    recent = (recent + text).slice(-RECENT_LIMIT);
    options.onEvent({ type: "text", text });
  }

  function pass(to: number): void {
    if (to === 0) return;
    inner.write(pending.slice(0, to));
    pending = pending.slice(to);
    inVain = Math.max(0, inVain - to);
  }

  function lineAt(from: number): string {
    const end = pending.indexOf("\n", from);
    return end === -1 ? pending.slice(from) : pending.slice(from, end + 1);
  }

  function isShown(info: string): boolean {
    const line = recent
      .trimEnd()
      .split(/\n|(?<=[.!?]) |(?<=[。！？])/)
      .at(-1)!;
    if (SHOWN.test(info) || FOR_EXAMPLE.test(line)) return true;
    return (EXAMPLE.test(line) || SHOWS.test(line)) && !DOES.test(line);
  }
}

/** Maximum number of characters of an incomplete tag or comment that are awaited. */
const ASIDE_LIMIT = 64;

/**
 * Decides, chunk by chunk, whether the text beside calls contains words other than reasoning and
 * comments.
 */
function createAsideReader(): (piece: string) => boolean {
  let close: string | undefined;
  let rest = "";
  return (piece) => {
    rest += piece;
    for (;;) {
      if (close !== undefined) {
        const end = rest.indexOf(close);
        if (end === -1) {
          rest = rest.slice(-close.length);
          return false;
        }
        rest = rest.slice(end + close.length);
        close = undefined;
      }
      rest = rest.trimStart();
      if (rest === "") return false;
      const [tag, name] = /^(?:<!--|<([a-z:_]{4,32})>)/i.exec(rest) ?? [];
      if (tag === undefined) return rest.length > ASIDE_LIMIT || !/^<(?:!-{0,2}|[a-z:_]*)$/i.test(rest); // prettier-ignore
      if (name !== undefined && !isAside(name)) return true;
      close = name === undefined ? "-->" : `</${name}>`;
      rest = rest.slice(tag.length);
    }
  };
}
const isWrong = (event: { type: string; code?: string }) =>
  event.type === "error" && event.code !== "unknown-param";
