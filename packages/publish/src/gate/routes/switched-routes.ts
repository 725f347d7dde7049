import type { Brackets } from "./brackets.ts";

/** Maximum number of places read per file. */
const MOST = 500;
/** Characters of a case's code that are read. */
const NEAR = 1_200;
const SWITCH = /\bswitch\s{0,10}\(/g;
/** Signs that the compared value is an address, or a part of one. */
const OF_ADDRESS = /\[\s*\d\s*\]|seg|part|path|url|route|resource|first|second|rest|shift\(\)/i;
const CASE = /\bcase\s{1,10}["'`](\/?[\w-]{1,60}(?:\/[\w:-]{1,60}){0,6})["'`]\s{0,10}:/g;
/** `parts[0] === "api" && parts[1] === "notes"`. */
const CHAIN =
  /(?:[\w.]{1,40}\[\d\]\s{0,4}={2,3}\s{0,4}["'`][\w-]{1,60}["'`]\s{0,10}(?:&&\s{0,10})?){1,5}/g;
const LINK = /\[(\d)\]\s*={2,3}\s*["'`]([\w-]+)["'`]/g;

/** An address that a program compares, and the range of the code that answers it. */
export interface Compared {
  path: string;
  from: number;
  to: number;
}

/**
 * Routes that a program parses itself: `switch (parts[0]) { case "api": switch (parts[1]) { case
 * "notes": … } }`.
 */
export function switchedRoutes(text: string, { closing }: Brackets): Compared[] {
  const found: Compared[] = [];
  const blocks: { from: number; to: number; start: number }[] = [];
  for (const { 0: all, index } of text.matchAll(SWITCH)) {
    if (blocks.length >= MOST) break;
    const open = index + all.length - 1;
    const close = closing.get(open);
    const brace = close === undefined ? -1 : text.indexOf("{", close);
    const to = brace < 0 || brace > close! + 20 ? undefined : closing.get(brace);
    if (to !== undefined && OF_ADDRESS.test(text.slice(open, Math.min(close!, open + 200))))
      blocks.push({ from: brace, to, start: index });
  }
  for (const { 1: address = "", index } of text.matchAll(CASE)) {
    if (found.length >= MOST) break;
    const block = blocks.findLast(({ from, to }) => from < index && index < to);
    if (!block) continue;
    // The enclosing case is the last one that begins before and ends after this switch.
    const outer = found.findLast(
      ({ from, to }) => from < block.start && block.start < to && from < block.from,
    );
    const path = address.startsWith("/") ? address : `${outer?.path ?? ""}/${address}`;
    for (const one of found) if (one.to > index && one.from > block.from) one.to = index;
    found.push({ path, from: index, to: block.to });
  }
  for (const { 0: all, index } of text.matchAll(CHAIN)) {
    if (found.length >= MOST) break;
    const links = [...all.matchAll(LINK)].toSorted(
      ([, a = ""], [, b = ""]) => Number(a) - Number(b),
    );
    const path = links.map(([, , name]) => `/${name}`).join("");
    found.push({ path, from: index, to: index + NEAR });
  }
  return found.map((one) => ({ ...one, to: Math.min(one.to, one.from + NEAR) }));
}
