import { HEAD_LIMIT, HEAD_LINE } from "./limits.ts";
import type { Opening } from "./opening.ts";

/** What precedes the content of a continuation. */
export interface Head {
  length: number;
  /** Backticks of the fence that it opens; 0 for none. */
  ticks: number;
  /** The unfinished part is abandoned: other tags open here. */
  isOther: boolean;
}

/** Matches lines that look like sentences and not like code. */
const SENTENCES = /^(?:\s*["*_]*[A-Z][^\n<>{}=;`]*[:.!…][*_]*[ \t]*\n(?:[ \t]*\n)*)+/;
/** Matches sentences that announce a continuation and end with a colon or an ellipsis. */
const ANNOUNCES =
  /\b(?:[Cc]ontinu|[Rr]esum|[Rr]est of|[Ll]eft off|[Pp]icking up|[Gg]oing on)[^]*(?::|…|\.{3})[*_]*\s*$/;
const FENCE = /^\s*(`{3,})[\w+.-]*[ \t]*\n/;

/** Parses what may precede the rest of an open content; `"more"` while that is undecided. */
export function readHead(text: string, opening: Opening, isWhole: boolean): Head | "more" {
  const waits = !isWhole && text.length < HEAD_LIMIT;
  const start = text.trimStart();
  if (waits && start.length < HEAD_LINE && !start.includes("\n")) return "more";

  const words = SENTENCES.exec(text.slice(0, HEAD_LIMIT))?.[0] ?? "";
  let at = words.length;
  let ticks = 0;
  const takeFence = () => {
    const fence = FENCE.exec(text.slice(at));
    if (!fence || ticks > 0) return;
    ticks = fence[1]!.length;
    at += fence[0].length;
  };
  takeFence();
  const same = opening.same.exec(text.slice(at));
  if (same) {
    at += same[0].length;
    takeFence();
  } else if (opening.any.test(text.slice(at))) return { length: at, ticks, isOther: true };
  else if (waits && mayBegin(text.slice(at), opening.begins)) return "more";

  const rest = text.slice(at);
  if (waits && at > 0 && /^\s*(?:`[^\n]*)?$/.test(rest)) return "more";
  // Prose has sentences and fences of its own; sentences that announce nothing are content, too.
  const isContent = opening.isProse ? !same : at === words.length && !ANNOUNCES.test(words);
  return isContent
    ? { length: 0, ticks: 0, isOther: false }
    : { length: at, ticks, isOther: false };
}

function mayBegin(text: string, begins: readonly string[]): boolean {
  const start = plain(text);
  return start !== "" && begins.map(plain).some((tag) => tag.startsWith(start) || start.startsWith(tag)); // prettier-ignore
}

/** Removes the separators that some models write within a tag's name. */
const plain = (tag: string) => tag.toLowerCase().replaceAll(/[-_\s]/g, "");
