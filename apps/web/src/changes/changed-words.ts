import { diffLines } from "@treadle/dialects/diff";

/** Characters of a line beyond which it is not looked at word by word. */
const LONGEST = 2_000;
/** Share of a line that is another from which on single words say nothing. */
const TOO_MUCH = 0.7;

/** Where two lines differ, as [from, to) in each; undefined where they have too little in common. */
export function changedWords(
  before: string,
  after: string,
): { before: [number, number][]; after: [number, number][] } | undefined {
  if (before.length > LONGEST || after.length > LONGEST) return undefined;
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
  return changed > (before.length + after.length) * TOO_MUCH ? undefined : found;
}

/** Stretches with nothing but spaces between them are one: it reads as one change. */
function add(ranges: [number, number][], range: [number, number], line: string): void {
  if (range[0] === range[1]) return;
  const last = ranges.at(-1);
  if (last && /^\s*$/.test(line.slice(last[1], range[0]))) last[1] = range[1];
  else ranges.push(range);
}

/** Words, spaces, and signs one by one; where each begins, and at last where the line ends. */
function pieces(line: string): { texts: string[]; starts: number[] } {
  const texts = line.match(/[\p{L}\p{N}_$]+|\s+|./gsu) ?? [];
  const starts = [0];
  for (const text of texts) starts.push(starts.at(-1)! + text.length);
  return { texts, starts };
}
