import type { Input } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import { LINE_LIMIT, pairInLine } from "./pair-in-line.ts";
import type { TagReader } from "./tag-reader.ts";
import { ACTION, ACTION_END, ARTIFACT_END, matchTag, TAGS } from "./tags.ts";

/** Tags without a closing one before them that a message may have: what is held is read again, so often at most. */
const TRIES = 50;

/**
 * Where an action may have ended: at its closing tag, or, without one, where its artifact ends on a line of its own, or
 * where another one, or another action, begins. What comes until that is clear is held.
 *
 * Behind a closing tag its line tells, or else the next tag. Without one all was content as soon as more actions are closed
 * than were opened since; the action ended where that does not come up to the message's end. Sooner nobody can know it, and
 * a command that stands in a file must not be run.
 */
export interface HeldEnd {
  /** What is held, to be read as prose where the action ended, as content where it did not. */
  text: string;
  /** The closing tag, which is content where the action goes on behind it. */
  closing: string;
  /** The input stands at a tag that may end the action. @param end where its name ends, a closing tag's `>` too */
  start({ name, end }: TagMatch): void;
  /** Whether the action ended here; `"more"` where what is left of the chunk has to wait; undefined to go on. */
  read(): boolean | "more" | undefined;
  /** The message is over. @returns whether the action is; otherwise the tag is content. */
  end(): boolean;
}

/** @param limit characters held at most; then they count as content. */
export function createHeldEnd(
  input: Input,
  outline: ArtifactEvents,
  tag: TagReader,
  limit: number,
): HeldEnd {
  /** What has to be seen of the line first. */
  let line: "blank" | "tag" | undefined;
  let startsLine: boolean;
  let tries = TRIES;
  /** Actions that were opened since, and not closed. */
  let depth: number;

  const goesOn = (counts: boolean): false | undefined => {
    line = undefined;
    return counts && tries-- > 0 ? undefined : false;
  };

  /** Behind a closing tag: where only white space stands on its line, it is one. */
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

  /** In an opening tag, which counts with an id, or a type. */
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

  /** Counts the actions that are open. */
  const count = ({ name, end }: TagMatch, less: number): false | "more" | undefined => {
    if (name === ACTION_END && --depth < 0) return false;
    if (name !== ACTION) return undefined;
    const { chunk } = input;
    const rest = chunk.slice(end, less + LINE_LIMIT);
    const close = rest.indexOf(">");
    if (close === -1 && chunk.length < less + LINE_LIMIT) return "more";
    // A sentence that only names the tag opens nothing.
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
