import { goesOnInSentence } from "../prose/behind-words.ts";
import { isLeftOut } from "../prose/example.ts";

/** Number of characters within which a call shows that it is an example. */
const LIMIT = 1_024;
const PARAM = /\s*<([^<>/\s][^<>]{0,200})>([^<]*)/y;
const END = /<\/[^<>]{1,64}>/y;
/** Incomplete dots. */
const MAY_BE_DOTS = /^\s*(?:\.{0,3}|…)\s*$/;
/** Parameters that come before the long one. */
const SHORT = /path|file|name|dir|regex|id/i;

/**
 * Length of a call with dots as a value (`<path>...</path>`), which is an example. 0 if it is none,
 * `"more"` if only further text can decide.
 * @param from position after its opening tag
 * @param written its name, as in its end
 */
export function shownCall(pending: string, from: number, written: string): number | "more" {
  const isShort = pending.length < LIMIT;
  const text = pending.slice(0, LIMIT);
  for (let at = from; ;) {
    PARAM.lastIndex = at;
    const [all, name = "", value = ""] = PARAM.exec(text) ?? [];
    if (all === undefined) return isShort && /^\s*(?:<[^<>/]*)?$/.test(text.slice(at)) ? "more" : 0;
    const isDots = MAY_BE_DOTS.test(value);
    if (!isDots && !SHORT.test(name)) return 0;
    at += all.length;
    END.lastIndex = at;
    const end = END.exec(text)?.[0];
    if (end === undefined) return isShort && /^(?:<(?:\/[^<>]*)?)?$/.test(text.slice(at)) ? "more" : 0;
    if (isLeftOut(value)) break;
    at += end.length;
  }
  const [tag] = new RegExp(`</\\s*${written.replaceAll("|", "\\|")}\\s*>`).exec(text) ?? [];
  if (tag === undefined) return isShort ? "more" : 0;
  return text.indexOf(tag) + tag.length;
} // prettier-ignore

/**
 * Length of a call within a sentence, with words before and after it on its line, which only
 * mention it. 0 if it is none, `"more"` if only further text can decide.
 * @param from position after its opening tag
 */
export function mentionedCall(pending: string, from: number, written: string): number | "more" {
  const line = pending.slice(from, from + LIMIT);
  const isShort = line.length < LIMIT && !line.includes("\n");
  const [tag] = new RegExp(`</\\s*${written.replaceAll("|", "\\|")}\\s*>`).exec(line) ?? [];
  if (tag === undefined) return isShort ? "more" : 0;
  const end = line.indexOf(tag) + tag.length;
  if (line.slice(0, end).includes("\n")) return 0;
  const goesOn = goesOnInSentence(line.slice(end), !isShort);
  return goesOn === "more" ? goesOn : goesOn ? from + end : 0;
}
