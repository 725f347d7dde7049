import type { Match, TagMatch } from "../text/match-name.ts";
import { readUntil } from "../text/read-until.ts";
import { isWhite } from "../text/white.ts";
import type { ProseScanner, ProseScannerOptions } from "./types.ts";

const TICK = 96;
const NEWLINE = 10;
/** Maximum length of a fence's info string; a longer line is prose that began with backticks. */
const INFO_LIMIT = 256;
/** Tags whose content is text; callers of `next` include them in their names. */
export const THINKING: readonly string[] = [
  "think",
  "thinking",
  "thought",
  "thoughts",
  "reasoning",
  "reflection",
  "scratchpad",
];
const IN_FENCE = ["think", "thinking", "/think", "/thinking"];

/**
 * Reads the prose between a model's tags. Inline code ends with its line at the latest, so that a
 * lone backtick hides no more; a fence ends with a line of at least as many backticks.
 */
export function createProseScanner<T extends TagMatch>({
  input,
  match,
  onText,
  hasFences = () => true,
  onFence = () => false,
}: ProseScannerOptions<T>): ProseScanner {
  /** Length of the current run of backticks, and of the one that opened the code. */
  let run = 0;
  let opened = 0;
  let startsLine = false;
  /** Inside inline code, after its first character. */
  let closing = false;
  let info = "";
  let thinkingEnd: string[] = [];
  /** Reasoning tags opened within the fence. */
  let thoughts = 0;

  const pass = (to: number) => {
    const text = input.take(to);
    if (text !== "") onText(text);
  };

  const sayTicks = (count: number, behind = "") => onText("`".repeat(count) + behind);

  const countTicks = (): number => {
    let { at } = input;
    while (input.chunk.charCodeAt(at) === TICK) at++;
    run += at - input.at;
    return at;
  };

  /**
   * Positions of the next tag and backtick in the chunk, searched once however often reading
   * resumes.
   */
  let seen = 0;
  let less = -1;
  let tick = -1;
  const look = (chunk: string, at: number) => {
    if (input.chunks !== seen) {
      seen = input.chunks;
      less = tick = -1;
    }
    if (less < at && (less = chunk.indexOf("<", at)) === -1) less = chunk.length;
    if (tick < at && (tick = chunk.indexOf("`", at)) === -1) tick = chunk.length;
  };

  const readPlain = (names: readonly string[]): Match<T> => {
    const { chunk } = input;
    let { at } = input;
    for (;;) {
      look(chunk, at);
      at = less < tick ? less : tick;
      if (at === chunk.length) break;
      if (tick < less) {
        startsLine = input.isLineStart(at);
        run = 0;
        state = readTicks;
        break;
      }
      let found = match(chunk, at, names);
      if (!found && startsComment(chunk, at) && input.isLineStart(at)) {
        if (chunk.length < at + 4) found = "more";
        else {
          state = readComment;
          break;
        }
      }
      if (!found) {
        at++;
        continue;
      }
      pass(at);
      if (found === "more" || !THINKING.includes(found.name)) return found;
      thinkingEnd = [`/${found.name}`];
      state = readThinking;
      at = found.end;
      break;
    }
    pass(at);
    return undefined;
  };

  const readThinking = (): Match<T> => {
    const found = readUntil(input, match, thinkingEnd, onText);
    if (found === "more") return found;
    if (found) {
      pass(found.end);
      state = readPlain;
    }
    return undefined;
  };

  const readComment = (): "more" | undefined => {
    const { chunk } = input;
    const end = chunk.indexOf("-->", input.at);
    if (end !== -1) state = readPlain;
    pass(end === -1 ? chunk.search(/-{0,2}$/) : end + 3);
    return end === -1 && input.at < chunk.length ? "more" : undefined;
  };

  /** Counts a run of backticks outside code, then decides what it opens. */
  const readTicks = (): undefined => {
    input.at = countTicks();
    if (input.at === input.chunk.length) return;
    opened = run;
    info = "";
    const isFence = run > 2 && hasFences();
    if (isFence && startsLine) state = readFenceLine;
    else {
      sayTicks(run);
      closing = false;
      state = run > 2 && !isFence ? readPlain : readInline;
    }
  };

  const readInline = (): undefined => {
    const { chunk } = input;
    let { at } = input;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === TICK) run++;
      else {
        if (code === NEWLINE || (closing && run === opened)) state = readPlain;
        run = 0;
        closing = true;
        if (state === readPlain) break;
      }
    }
    pass(at);
  };

  /** Reads the rest of the line that opens a fence. @returns null if the caller takes the fence */
  const readFenceLine = (): null | undefined => {
    const { chunk } = input;
    const from = input.at;
    const limit = Math.min(chunk.length, from + INFO_LIMIT - info.length);
    let at = from;
    while (at < limit && chunk.charCodeAt(at) !== NEWLINE && chunk.charCodeAt(at) !== TICK) at++;
    info += input.take(at);
    if (at === chunk.length) return undefined;
    const opens = chunk.charCodeAt(at) === NEWLINE;
    run = thoughts = 0;
    state = readPlain;
    if (opens && onFence(opened, info)) return null;
    sayTicks(opened, info);
    closing = info !== "";
    state = opens ? readFence : readInline;
    return undefined;
  };

  const readFence = (): "more" | undefined => {
    const { chunk } = input;
    if (run > 0) {
      const at = countTicks();
      if (at < chunk.length) {
        if (run >= opened && isWhite(chunk.charCodeAt(at))) state = readPlain;
        run = 0;
      }
      pass(at);
      return undefined;
    }
    // A fence opened in reasoning ends with it, even if its beginning was left out.
    for (look(chunk, input.at); less < tick; look(chunk, less + 1)) {
      const found = match(chunk, less, IN_FENCE);
      if (found === "more") {
        pass(less);
        return found;
      }
      if (found && !found.name.startsWith("/")) thoughts++;
      else if (found && --thoughts < 0 && input.isLineStart(less)) {
        state = readPlain;
        pass(found.end);
        return undefined;
      }
    }
    let to = tick;
    if (to < chunk.length && input.isLineStart(to++)) run = 1;
    pass(to);
    return undefined;
  };

  /** The current state function: a tag, or `"more"`, ends `next`, and so does null. */
  let state: (names: readonly string[]) => Match<T> | null = readPlain;
  return {
    next(names) {
      const one = state === readPlain ? input.takeOne() : "";
      if (one !== "") onText(one);
      while (input.at < input.chunk.length) {
        const found = state(names);
        if (found !== undefined) return found ?? undefined;
      }
      return undefined;
    },
    enterFence(ticks, line) {
      sayTicks(ticks, line);
      opened = ticks;
      run = thoughts = 0;
      state = readFence;
    },
    isPlain: () => state === readPlain,
    end() {
      if (state === readTicks) sayTicks(run);
      else if (state === readFenceLine) sayTicks(opened, info);
    },
  };
}

/** Whether a comment begins at the `<` at `at`, as far as the text is known. */
function startsComment(text: string, at: number): boolean {
  return text[at + 1] === "!" && "<!--".startsWith(text.slice(at, at + 4));
}
