import { diffLines } from "@treadle/dialects/diff";
import type { LineAnchor } from "../log/comment.ts";

/** Maximum number of lines of a file whose lines are followed through edits. */
const FOLLOWED_LINES = 10_000;
/** Maximum number of lines between two lines that occur once, within which the others are looked for. */
const GAP_LINES = 2_000;
/** Number of characters of a line's digest. */
const DIGEST = 5;
const DIGESTS = 36 ** DIGEST;

const splitLines = (text: string) => text.split(/\r?\n/);

/** The lines of a text by number, counted from 1; undefined outside. */
export const lineOf = (text: string, line: number): string | undefined =>
  splitLines(text)[line - 1];

/** A digest of each line, in one text; undefined if there are more than 10,000. */
export function lineDigests(text: string): string | undefined {
  const lines = splitLines(text);
  return lines.length > FOLLOWED_LINES ? undefined : lines.map(digestOf).join("");
}

/** FNV-1a over the UTF-16 units, as five digits of base 36. It tells lines apart, and protects nothing. */
function digestOf(line: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return ((hash >>> 0) % DIGESTS).toString(36).padStart(DIGEST, "0");
}

const digestsIn = (text: string): string[] => text.match(/.{5}/g) ?? [];

/**
 * Finds the anchor's line in another version of its file. The line is followed by the difference
 * between the versions, and only to the one place where it can be: a line that was changed, removed
 * or moved, or that cannot be told from its equals, is gone.
 * @returns the line's number, counted from 1; undefined if it is gone
 */
export function followLine(
  { line, digests }: Pick<LineAnchor, "line" | "digests">,
  text: string,
): number | undefined {
  const lines = splitLines(text);
  if (digests === undefined || lines.length > FOLLOWED_LINES) return undefined;
  const place = followAmong(digestsIn(digests), lines.map(digestOf), line - 1);
  return place === undefined ? undefined : place + 1;
}

/** @returns the index in `after` of what is at `index` in `before` */
function followAmong(
  before: readonly string[],
  after: readonly string[],
  index: number,
): number | undefined {
  if (before[index] === undefined) return undefined;
  const { from, to } = gapAround(before, after, index);
  if (from.old === index) return from.fresh;
  const old = before.slice(from.old + 1, to.old);
  const fresh = after.slice(from.fresh + 1, to.fresh);
  if (old.length > GAP_LINES || fresh.length > GAP_LINES) return undefined;
  const found = onlyPlace(old, fresh, index - from.old - 1);
  return found === undefined ? undefined : found + from.fresh + 1;
}

interface Pair {
  old: number;
  fresh: number;
}

/**
 * The pairs of equal lines before (or at) and after the index, of lines that occur once in either
 * version and are in the same order in both.
 */
function gapAround(
  before: readonly string[],
  after: readonly string[],
  index: number,
): { from: Pair; to: Pair } {
  const once = placesOfUnique(after);
  const pairs = [...placesOfUnique(before)]
    .flatMap(([digest, old]) => {
      const fresh = once.get(digest);
      return fresh === undefined ? [] : [{ old, fresh }];
    })
    .toSorted((a, b) => a.old - b.old);
  let from: Pair = { old: -1, fresh: -1 };
  for (const pair of longestRising(pairs)) {
    if (pair.old > index) return { from, to: pair };
    from = pair;
  }
  return { from, to: { old: before.length, fresh: after.length } };
}

function placesOfUnique(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const several = new Set<string>();
  for (const [place, line] of lines.entries())
    if (places.has(line)) several.add(line);
    else places.set(line, place);
  for (const line of several) places.delete(line);
  return places;
}

/** The longest subsequence whose places in the new version rise. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  type Link = Pair & { previous: Link | undefined };
  /** By length: the chain of that length that ends first. */
  const ends: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.fresh < pair.fresh) low = middle + 1;
      else high = middle;
    }
    ends[low] = { ...pair, previous: ends[low - 1] };
  }
  const chain: Pair[] = [];
  for (let link = ends.at(-1); link; link = link.previous) chain.push(link);
  return chain.reverse();
}

/**
 * The place of a line among the lines that both versions have, if no other is possible. The common
 * lines are laid over either version twice: as early as they fit, and as late.
 */
function onlyPlace(
  old: readonly string[],
  fresh: readonly string[],
  index: number,
): number | undefined {
  const common = commonLines(old, fresh);
  const inOld = certainPlaces(common, old);
  const number = inOld.indexOf(index);
  return number === -1 ? undefined : certainPlaces(common, fresh)[number];
}

function commonLines(old: readonly string[], fresh: readonly string[]): string[] {
  const common: string[] = [];
  let at = 0;
  for (const { oldFrom, oldTo } of diffLines(old, fresh)) {
    common.push(...old.slice(at, oldFrom));
    at = oldTo;
  }
  return [...common, ...old.slice(at)];
}

/** For each of the lines its place in a version that has them all; undefined if there are several. */
function certainPlaces(
  lines: readonly string[],
  version: readonly string[],
): (number | undefined)[] {
  const earliest: number[] = [];
  for (let [at, next] = [0, 0]; next < lines.length; at++)
    if (version[at] === lines[next]) earliest[next++] = at;
  const latest: number[] = [];
  for (let [at, next] = [version.length - 1, lines.length - 1]; next >= 0; at--)
    if (version[at] === lines[next]) latest[next--] = at;
  return earliest.map((place, number) => (place === latest[number] ? place : undefined));
}
