import { createClosingFence } from "./closing-fence.ts";
import type { Opening } from "./opening.ts";
import { createOverlap, type Compared, type Overlap } from "./overlap.ts";
import { readHead } from "./read-head.ts";

/**
 * What a piece of a continuation is. `held`: undecided yet. `on`: text that continues the present one. `anew`: the
 * unfinished content from its first line, which replaces the earlier part. `apart`: the unfinished part is abandoned,
 * and this is separate. `lost`: the place is unknown; everything that follows is `lost`, too.
 */
export type Joined = { type: "held" | "lost" } | { type: "on" | "anew" | "apart"; text: string };

export interface Seam {
  write(text: string): Joined;
  /** Call at the end of the request. */
  end(): Joined;
}

/** Number of equal lines that show that something is written anew; after reopened tags, one is enough. */
const LINES_AGAIN = 2;

/** Joins the rest of an answer to the earlier part. Models repeat lines, open tags again or begin with a fence. */
export function createSeam(before: string, opening: Opening | undefined): Seam {
  let head = "";
  let hasHead = false;
  let isOther = false;
  /** Leading white space, which is kept if nothing is repeated. */
  let white = "";
  let isBegun = false;
  const content = before.slice(opening?.from ?? 0);
  const indent = content.slice(0, content.length - content.trimStart().length);
  const beginnings = opening ? [0, opening.from + indent.length] : [0];
  let overlap: Overlap | undefined = opening ? undefined : createOverlap(before, beginnings);
  let fence: ReturnType<typeof createClosingFence> | undefined;
  let settled: "on" | "lost" | undefined;

  const give = (type: "on" | "anew" | "apart", text: string): Joined => {
    settled = "on";
    return { type, text: fence ? fence.write(text) : text };
  };

  const read = (text: string, isWhole: boolean): Joined => {
    if (settled === "lost") return { type: "lost" };
    if (settled) return give("on", text);
    if (opening && !overlap) {
      head += text;
      const found = readHead(head, opening, isWhole);
      if (found === "more") return { type: "held" };
      text = head.slice(found.length);
      ({ isOther } = found);
      if (found.ticks > 0) fence = createClosingFence(found.ticks);
      hasHead = found.length > 0;
      overlap = createOverlap(before, beginnings, hasHead ? 1 : undefined);
    }
    if (!isBegun) {
      white += text;
      text = white.trimStart();
      if (text === "" && !isWhole) return { type: "held" };
      white = white.slice(0, white.length - text.length);
      isBegun = true;
    }
    const compared = overlap!.write(text);
    return decide(isWhole ? overlap!.end() : compared);
  };

  const decide = (compared: Compared): Joined => {
    if (compared === "more") return { type: "held" };
    const { text, repeated, beginning } = compared;
    if (isOther && repeated === 0) return give("apart", text);
    if (opening && beginning && beginning.lines >= (hasHead ? 1 : LINES_AGAIN))
      return beginning.at === beginnings[1] ? give("anew", indent + text) : give("apart", text);
    if (repeated > 0) return give("on", text.slice(repeated));
    if (!hasHead) return give("on", white + text);
    // After a fence or a tag, a new line begins, so the text cannot continue a line that was cut in the middle.
    const line = before.slice(Math.max(before.lastIndexOf("\n") + 1, opening?.from ?? 0));
    if (line.trim() !== "") {
      settled = "lost";
      return { type: "lost" };
    }
    const rest = white + text;
    return give("on", rest.startsWith(line) ? rest.slice(line.length) : rest);
  };

  return {
    write: (text) => read(text, false),
    end() {
      const joined = read("", true);
      if (!("text" in joined)) return joined;
      return { ...joined, text: joined.text + (fence?.end() ?? "") };
    },
  };
}
