import { goesOnInSentence } from "../prose/behind-words.ts";
import {
  findStrayEnd,
  isMisspelt,
  judgeStrayEnd,
  marksPart,
  type StrayEnd,
} from "../prose/stray-end.ts";
import { readActionHead } from "./open-action.ts";
import { pairInLine } from "./pair-in-line.ts";
import { attributesOf, TAG_PATTERNS } from "./tag-patterns.ts";

/** The parser's current position. */
export interface Place {
  /** Set in an action's content outside of code fences; `path` if the action has one. */
  content: { action: number; path: string | undefined } | undefined;
  /** Whether the next text is prose, outside of artifacts, code and reasoning. */
  isProse: boolean;
}

/** Remarks for the next action that closes. */
export interface OddEnd {
  endGuessed?: true;
  isRestart?: true;
}

export interface MarkRewriter {
  write(text: string): void;
  end(): void;
  isHolding(): boolean;
}

/**
 * Maximum number of held characters of an action after words, or of a stray end with the text after
 * it; beyond it they are text.
 */
const HELD_LIMIT = 2_097_152;
const TAG_LIMIT = 4_096;

const ACTION = new RegExp(TAG_PATTERNS.action, "gi");
const ACTION_BEGIN = new RegExp(TAG_PATTERNS.actionBegin, "gi");
const ACTION_END = new RegExp(TAG_PATTERNS.actionEnd, "gi");
const NEXT =
  /\n[ \t]{0,200}<\s{0,32}(?:\/\s{0,32}bolt[-_]?artifact|bolt[-_]?a(?:rtifact|ction))(?=[\s>/])/gi;
/** An incomplete tag at the end of a text. */
const MAY_BE_TAG = /<[^<>]*$/;
const OPENINGS = /<([A-Za-z_][\w:-]{0,63})/g;
const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, "");
const lineOf = (text: string) => text.slice(text.lastIndexOf("\n") + 1);

/**
 * Rewrites incorrect marks of the artifact dialect while the text streams: a misspelt or cut end,
 * or that of a sibling, becomes the action's own; a file that restarts within itself is closed
 * first; and an action after words gets a line of its own. Time is linear; held text is limited.
 * @param place the parser's position after all text passed so far
 * @param mark called before an end is passed that was not written
 * @param pass receives the text
 */
export function rewriteMarks(
  place: () => Place,
  mark: (odd: OddEnd) => void,
  pass: (text: string) => void,
): MarkRewriter {
  let pending = "";
  /** The line that is being passed on. */
  let line = "";
  let opened = new Set<string>();
  let stray: StrayEnd | undefined;
  /** Number of characters after a held tag that were already searched. */
  let looked = 0;
  /** The action whose content has only white space so far. */
  let current: number | undefined;
  let isBlank = true;
  /** The action whose own end was passed on: the parser may need more text before it closes it. */
  let ended: number | undefined;
  /** Number of pending characters in which tags were already searched. */
  let settled = 0;

  const give = (length: number) => {
    if (length === 0) return;
    const text = pending.slice(0, length);
    pending = pending.slice(length);
    settled = Math.max(0, settled - length);
    isBlank &&= text.trim() === "";
    line = (line + text).slice(-TAG_LIMIT);
    if (text.includes("\n")) line = lineOf(text).slice(-TAG_LIMIT);
    if (text.includes("<")) for (const [, name] of text.matchAll(OPENINGS)) opened.add(name!);
    pass(text);
  };

  /** Replaces the written text by something else. */
  const replace = (length: number, text: string) => {
    pending = pending.slice(length);
    settled = 0;
    line = lineOf(text);
    pass(text);
  };

  const isOpened = (name: string, index: number) =>
    ["boltaction", "boltartifact"].includes(plain(name)) ||
    !marksPart(name, ["boltAction", "boltArtifact"]) ||
    opened.has(name) ||
    new RegExp(`<${name}[\\s>/]`).test(pending.slice(0, index));

  /** A tag of the dialect without its `>`. */
  const findCut = (isWhole: boolean): StrayEnd | undefined => {
    const text = isWhole ? `${pending}\n ` : pending;
    const found =
      /(?:^|\n)[ \t]{0,200}<\/(bolt[-_]?(?:action|artifact))[ \t]{0,32}\r?\n(?=\s*[^\s>]|\s*$)/i.exec(
        text,
      );
    if (!found || (found[0][0] !== "\n" && line.trim() !== "")) return undefined;
    const index = found.index + (found[0].startsWith("\n") ? 1 : 0);
    return { name: found[1]!, index, end: found.index + found[0].trimEnd().length };
  };

  const readContent = (
    { action, path }: NonNullable<Place["content"]>,
    isWhole: boolean,
  ): boolean => {
    if (stray) return readStray(stray, isWhole);
    if (current !== action) {
      current = action;
      isBlank = true;
      opened = new Set();
    }
    if (ended === action) {
      give(pending.indexOf("\n") + 1 || pending.length);
      return pending !== "";
    }
    if (!pending.includes("<")) {
      give(pending.length);
      return false;
    }
    const end = exec(ACTION_END, 0);
    const before = end ? pending.slice(0, end.index) : pending;
    const other = findStrayEnd(before, line.trim() === "", isOpened, isWhole || end !== null);
    const cut = findCut(isWhole);
    const firstEnd = [other, cut]
      .filter((one) => one !== undefined)
      .toSorted((a, b) => a.index - b.index)[0];
    const again =
      path === undefined ? undefined : beginsAgain(path, firstEnd?.index ?? before.length, isWhole);
    if (again === "more") return false;
    if (again === "other") {
      ended = action;
      return true;
    }
    if (again) {
      give(again.index);
      mark({ isRestart: true });
      replace(0, "</boltAction>\n");
      opened = new Set();
      give(again.length);
      return true;
    }
    if (firstEnd && (!end || firstEnd.index < end.index)) {
      const { index } = firstEnd;
      give(index);
      stray = { ...firstEnd, index: 0, end: firstEnd.end - index };
      looked = 0;
      return true;
    }
    if (end) {
      ended = action;
      opened = new Set();
      const to = end.index + end[0].length;
      give(to + (/^\r?\n/.exec(pending.slice(to, to + 2))?.[0].length ?? 0));
      return pending !== "";
    }
    const tail = isWhole
      ? -1
      : pending
          .slice(-TAG_LIMIT)
          .search(
            /<(?:\/?\s{0,32}[\w:-]{0,64}[ \t]{0,32}(?:>[ \t]{0,200})?\r?|\s{0,32}bolt[^<>]{0,2000})$/i,
          );
    give(tail === -1 ? pending.length : Math.max(0, pending.length - TAG_LIMIT) + tail);
    return false;
  };

  const exec = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(pending);
  };

  /**
   * Finds where the open file's own tag is repeated before `limit`; `"other"` if another action begins on an earlier
   * line, because what follows then belongs to that one.
   */
  const beginsAgain = (path: string | undefined, limit: number, isWhole: boolean) => {
    for (
      let found = exec(ACTION, settled);
      found && found.index < limit;
      found = exec(ACTION, settled)
    ) {
      const { index, 0: tag } = found;
      const [head] = readActionHead(attributesOf(tag), 0, 0);
      const isSame =
        path !== undefined &&
        head.actionType === "file" &&
        head.filePath === path &&
        head.operation !== "delete";
      const before = pending.slice(0, index);
      const isAtLine =
        /(?:^|\n)[ \t]*$/.test(before) && (before.includes("\n") || line.trim() === "");
      // The parser itself handles a restart before any content.
      const isFirst = isBlank && before.trim() === "";
      if (!isFirst && isAtLine) return isSame ? { index, length: tag.length } : ("other" as const);
      if (!isFirst && isSame) {
        const pair = pairInLine(pending, index + tag.length);
        if (pair === "more" && !isWhole) return pair;
        if (typeof pair !== "number") return { index, length: tag.length };
      }
      settled = index + tag.length;
    }
    return undefined;
  };

  const readStray = ({ name, end }: StrayEnd, isWhole: boolean): boolean => {
    const behind = pending.slice(end);
    const judged =
      pending.length > HELD_LIMIT
        ? "content"
        : judgeStrayEnd(behind, looked, { own: ACTION_END, next: NEXT }, isWhole);
    if (judged === "more") {
      looked = behind.length;
      return false;
    }
    stray = undefined;
    looked = 0;
    if (judged === "content") {
      // Its own end was found: no earlier tag is another end.
      const own = exec(ACTION_END, end);
      give(own ? own.index : pending.length);
      return pending !== "";
    }
    mark({ endGuessed: true });
    const closes = isMisspelt(plain(name), "boltartifact")
      ? "</boltAction>\n</boltArtifact>"
      : "</boltAction>";
    replace(end, closes);
    opened = new Set();
    return true;
  };

  /**
   * Puts an action after words on a line of its own if it is complete and no sentence continues
   * after it.
   */
  const readProse = (isWhole: boolean): boolean => {
    const begin = exec(ACTION_BEGIN, settled);
    if (!begin) {
      const tail = isWhole ? undefined : MAY_BE_TAG.exec(pending.slice(-TAG_LIMIT));
      const mayBe = tail && /^<\s{0,32}(?:b[-_a-z]{0,24})?$/i.test(tail[0]);
      give(mayBe ? pending.length - tail[0].length : pending.length);
      return false;
    }
    if (begin.index > 0) {
      give(begin.index);
      // The passed text may have opened an action.
      return true;
    }
    const found = exec(ACTION, 0);
    const opening = found?.index === 0 ? found[0] : undefined;
    if (opening === undefined && !isWhole && pending.length < TAG_LIMIT) return false;
    const tag = opening ?? begin[0];
    const words = line.trim();
    const isBehindWords = place().isProse && words !== "" && !/^[>\s]+$|<\s*bolt/i.test(words);
    if (isBehindWords && opening !== undefined && isKnown(opening)) {
      const isOver = isWhole || pending.length > HELD_LIMIT;
      const closesItself = opening.endsWith("/>");
      const close = closesItself
        ? undefined
        : exec(ACTION_END, Math.max(opening.length, looked - 80));
      // If another one begins before its end, it was only mentioned.
      const next = exec(ACTION_BEGIN, Math.max(opening.length, looked - 80));
      const isOne = close && (!next || close.index < next.index);
      if (!closesItself && !close && !next && !isOver) {
        looked = pending.length;
        return false;
      }
      const end = closesItself ? opening.length : isOne ? close.index + close[0].length : 0;
      const inLine = !pending.slice(0, end).includes("\n");
      const goesOn = inLine && goesOnInSentence(pending.slice(end), isOver);
      if (goesOn === "more") return false;
      if (end > 0 && !goesOn) replace(0, "\n");
    }
    looked = 0;
    give(tag.length);
    return true;
  };

  const isKnown = (tag: string) => readActionHead(attributesOf(tag), 0, 0).length === 1;

  const read = (isWhole: boolean) => {
    for (;;) {
      if (pending === "") return;
      const { content } = place();
      if (!(content ? readContent(content, isWhole) : readProse(isWhole))) {
        if (!isWhole || pending === "") return;
      }
    }
  };

  return {
    write(text) {
      pending += text;
      read(false);
    },
    end() {
      read(true);
      give(pending.length);
    },
    isHolding: () => pending !== "",
  };
}
