import { EXAMPLE, SHOWN } from "../prose/example.ts";
import { rewriteForeignCalls } from "./foreign-calls.ts";
import { TOOL_TAG_LIMITS } from "./limits.ts";
import { createToolTagParser } from "./parse.ts";
import type { ToolTagParser, ToolTagParserOptions } from "./types.ts";

/** Of calls, a sentence may say that it only shows how they are written. */
const SHOWS = /\b(?:the|this|following) (?:format|syntax)\b|\blike (?:this|so)\b/i;
/** Characters of prose that are remembered for the fence that may follow, and of a fence's first line. */
const RECENT_LIMIT = 1_024;
const HEAD_LIMIT = 256;

const HEAD = /^ *(`{3,})([^`\n]*)\n/;
/** The beginning of a line that a fence may open or close; at the end of what is known it may become one. */
const MAY_BE_FENCE = /^ *(?:`{0,2}$|`{3,}[^`\n]*(?:\n|$))/;

/** A fence that is tried: nothing of it is given out before it is clear that it holds nothing but calls. */
interface Tried {
  ticks: number;
  head: string;
  held: string;
  calls: number;
  isWrong: boolean;
  judge: ToolTagParser;
}

/**
 * As `createToolTagParser`, for models that put their calls into a code fence: where a fence holds nothing else, and no
 * sentence before it says that it is an example, what it holds is read as if the fence were not there. Calls in the
 * spellings of other templates, `<tool_call>{…}` and `<function=…>`, are read as tags.
 */
export function createUnfencedToolTagParser(options: ToolTagParserOptions): ToolTagParser {
  const { valueCharacters } = { ...TOOL_TAG_LIMITS, ...options.limits };
  let recent = "";
  const inner = createToolTagParser({
    ...options,
    onEvent(event) {
      if (event.type === "text") recent = (recent + event.text).slice(-RECENT_LIMIT);
      options.onEvent(event);
    },
  });
  let pending = "";
  let startsLine = true;
  let tried: Tried | undefined;
  /** Characters that were held in vain: a fence among them is not tried, so that nothing is read more than twice. */
  let inVain = 0;
  let ended = false;

  const foreign = rewriteForeignCalls(
    [...Object.keys(options.tools), ...Object.keys(options.aliases ?? {})],
    () => (tried?.judge ?? inner).inProse(),
    (text) => {
      pending += text;
      read(false);
    },
  );

  return {
    inProse: () => tried === undefined && !foreign.isHolding() && inner.inProse(),
    write(chunk) {
      if (!ended) foreign.write(chunk);
    },
    end() {
      if (ended) return;
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

  /** Passes on what is no fence's beginning. @returns whether there is more to do */
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
    if (inVain > 0 || !inner.inProse() || isShown(info!.trim())) startsLine = false;
    else {
      tried = begin(head, ticks!.length);
      pending = pending.slice(head.length);
    }
    return true;
  }

  /** Takes a line of a fence. @returns whether there is more to do */
  function readTried(fence: Tried, isWhole: boolean): boolean {
    const end = pending.indexOf("\n") + 1;
    if (end === 0 && !isWhole && pending.length + fence.held.length <= valueCharacters)
      return false;
    const line = end === 0 ? pending : pending.slice(0, end);
    const isLast = end === 0 && isWhole;
    const ticks = /^ *(`{3,})\s*$/.exec(line)?.[1]?.length ?? 0;
    const closes = ticks >= fence.ticks && fence.judge.inProse();
    pending = pending.slice(line.length);
    if (!closes) {
      fence.held += line;
      fence.judge.write(line);
      if (isLast) fence.judge.end();
    }
    const isOver = fence.isWrong || fence.held.length > valueCharacters;
    if (!isOver && !closes && !isLast) return true;
    tried = undefined;
    startsLine = true;
    if (!isOver && fence.calls > 0) {
      // The line break of the line that closes it is the prose's.
      inner.write(fence.held);
      pending = (closes && end > 0 ? "\n" : "") + pending;
      startsLine = !closes;
      recent = "";
    } else {
      const again = fence.head + fence.held + (closes ? line : "");
      inVain = again.length;
      pending = again + pending;
      startsLine = true;
      pass(fence.head.length);
    }
    return pending !== "";
  }

  function begin(head: string, ticks: number): Tried {
    const judge = createToolTagParser({
      ...options,
      onEvent(event) {
        if (event.type === "tool-close") fence.calls++;
        if (event.type === "text" ? event.text.trim() !== "" : isWrong(event)) fence.isWrong = true;
      },
    });
    const fence: Tried = { ticks, head, held: "", calls: 0, isWrong: false, judge };
    return fence;
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
    const said = recent.trimEnd().split("\n").at(-1)!;
    return SHOWN.test(info) || EXAMPLE.test(said) || SHOWS.test(said);
  }
}

const isWrong = (event: { type: string; code?: string }) =>
  event.type === "error" && event.code !== "unknown-param";
