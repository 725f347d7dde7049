import type { Input } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import { LINE_LIMIT, pairInLine } from "./pair-in-line.ts";
import type { TagReader } from "./tag-reader.ts";
import { ACTION, ACTION_END, ARTIFACT_END, matchTag, TAGS } from "./tags.ts";

/**
 * Maximum number of tags without a preceding closing one in a message, since each time the held
 * text is parsed again.
 */
const TRIES = 50;

/**
 * Handles a place where an action may have ended: at its closing tag, or, without one, where its
 * artifact ends on a line of its own, or where another artifact or action begins. Text is held
 * until that is decided.
 * After a closing tag the rest of its line decides, or else the next tag. Without one, everything
 * was content as soon as more actions are closed than were opened since; if that does not happen
 * before the message's end, the action ended there. An earlier decision would be unsafe, since a
 * command inside a file must not be run.
 */
export interface HeldEnd {
  /** The held text: prose if the action ended, content if it did not. */
  text: string;
  /** The closing tag, which is content if the action continues after it. */
  closing: string;
  /**
   * Called when the input is at a tag that may end the action.
   * @param end the end of its name; for a closing tag including `>`
   */
  start({ name, end }: TagMatch): void;
  /**
   * Whether the action ended here; `"more"` if the rest of the chunk has to wait; undefined to
   * continue.
   */
  read(): boolean | "more" | undefined;
  /**
   * Called at the end of the message.
   * @returns whether the action ended; otherwise the tag is content
   */
  end(): boolean;
}

/** @param limit maximum number of held characters; beyond it they count as content */
export function createHeldEnd(
  input: Input,
  outline: ArtifactEvents,
  tag: TagReader,
  limit: number,
): HeldEnd {
  /** The part of the line that has to be read first. */
  let line: "blank" | "tag" | undefined;
  let startsLine: boolean;
  let tries = TRIES;
  /** Number of actions opened since and not closed. */
  let depth: number;

  const goesOn = (counts: boolean): false | undefined => {
    line = undefined;
    return counts && tries-- > 0 ? undefined : false;
  };

  /** Reads the line after a closing tag, which counts if only white space follows. */
  const readLine = (): boolean | undefined => {
    const { chunk } = input;
    let { at } = input;
    let code = 0;
    while (isWhite((code = chunk.charCodeAt(at))) && code !== 10) at++;
    held.text += input.take(at);
    if (at === chunk.length) return undefined;
    const isBlank = code === 10;
    if (held.closing === "") return goesOn(isBlank);
    line = undefined;
    return isBlank || undefined;
  };

  /** Reads inside an opening tag, which counts if it has an id or a type. */
  const readTag = (): false | undefined => {
    const isWhole = tag.read();
    if (!isWhole && !tag.isTooLong()) return undefined;
    held.text = isWhole ? `${tag.text}>` : tag.text;
    const attributes = tag.attributes();
    const isAction = tag.name === ACTION;
    if (isAction && !tag.isSelfClosing()) depth = 1;
    if (isAction && outline.opensAgain(attributes)) {
      held.text = "";
      return false;
    }
    return goesOn(isWhole && attributes.has(isAction ? "type" : "id"));
  };

  const readOn = (): boolean | "more" | undefined => {
    const { chunk, at } = input;
    const to = Math.min(chunk.length, at + limit - held.text.length);
    let less = chunk.indexOf("<", at);
    for (; less !== -1 && less < to; less = chunk.indexOf("<", less + 1)) {
      const match = matchTag(chunk, less, TAGS);
      if (!match) continue;
      let ended: boolean | "more" | undefined;
      if (match === "more") ended = match;
      else if (held.closing !== "") ended = match.name !== ACTION_END;
      else {
        const shown = match.name === ACTION && !input.isLineStart(less) && outline.isFile;
        const pair = shown && pairInLine(chunk, match.end);
        if (typeof pair === "number") less = pair - 1;
        else ended = pair || count(match, less);
      }
      if (ended === undefined) continue;
      held.text += input.take(less);
      return ended;
    }
    held.text += input.take(to);
    return to < chunk.length ? false : undefined;
  };

  /** Counts the open actions. */
  const count = ({ name, end }: TagMatch, less: number): false | "more" | undefined => {
    if (name === ACTION_END && --depth < 0) return false;
    if (name !== ACTION) return undefined;
    const { chunk } = input;
    const rest = chunk.slice(end, less + LINE_LIMIT);
    const close = rest.indexOf(">");
    if (close === -1 && chunk.length < less + LINE_LIMIT) return "more";
    // A sentence that only mentions the tag opens nothing.
    const isNamed = !input.isLineStart(less) && !rest.slice(0, close).includes("=");
    if (rest[close - 1] !== "/" && !isNamed) depth++;
    return undefined;
  };

  const held: HeldEnd = {
    text: "",
    closing: "",
    start({ name, end }) {
      startsLine = input.isLineStart(input.at);
      depth = 0;
      held.text = held.closing = "";
      line = "blank";
      if (name === ACTION_END) held.closing = input.take(end);
      else if (name === ARTIFACT_END) held.text = input.take(end);
      else {
        line = "tag";
        tag.start(name, end);
      }
    },
    read: () => (line === "tag" ? readTag() : line ? readLine() : readOn()),
    end() {
      if (line === "tag") held.text = tag.text;
      return held.closing !== "" || (!line && startsLine);
    },
  };
  return held;
}
