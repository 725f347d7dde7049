import { diffLines } from "@treadle/dialects/diff";

/** Maximum characters of a line that is compared word by word. */
const MAX_LINE_CHARS = 2_000;
/** Fraction of differing text from which a word-by-word diff is no longer useful. */
const MAX_CHANGED_FRACTION = 0.7;

/** The differing ranges of two lines, as [from, to); undefined if they have too little in common. */
export function changedWords(
  before: string,
  after: string,
): { before: [number, number][]; after: [number, number][] } | undefined {
  if (before.length > MAX_LINE_CHARS || after.length > MAX_LINE_CHARS) return undefined;
  const [old, fresh] = [pieces(before), pieces(after)];
  const found = { before: [] as [number, number][], after: [] as [number, number][] };
  let changed = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of diffLines(old.texts, fresh.texts)) {
    const was: [number, number] = [old.starts[oldFrom]!, old.starts[oldTo]!];
    const is: [number, number] = [fresh.starts[newFrom]!, fresh.starts[newTo]!];
    changed += was[1] - was[0] + is[1] - is[0];
    add(found.before, was, before);
    add(found.after, is, after);
  }
  return changed > (before.length + after.length) * MAX_CHANGED_FRACTION ? undefined : found;
}

/** Merges ranges separated only by spaces, which read as one change. */
function add(ranges: [number, number][], range: [number, number], line: string): void {
  if (range[0] === range[1]) return;
  const last = ranges.at(-1);
  if (last && /^\s*$/.test(line.slice(last[1], range[0]))) last[1] = range[1];
  else ranges.push(range);
}

/** Splits a line into words, spaces and single symbols, with the offset of each and the line's length at the end. */
function pieces(line: string): { texts: string[]; starts: number[] } {
  const texts = line.match(/[\p{L}\p{N}_$]+|\s+|./gsu) ?? [];
  const starts = [0];
  for (const text of texts) starts.push(starts.at(-1)! + text.length);
  return { texts, starts };
}
