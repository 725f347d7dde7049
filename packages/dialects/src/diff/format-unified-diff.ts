import { type Difference, diffLines } from "./diff-lines.ts";

const NO_BREAK = "\\ No newline at end of file\n";

/**
 * A GNU unified diff without its file headers; `""` without differences. Carriage returns are part
 * of a line.
 * @param context number of lines shown around a change
 */
export function formatUnifiedDiff(before: string, after: string, context = 3): string {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const groups = groupNear(diffLines(old, fresh), context * 2);
  return groups.map((group) => formatHunk(group, old, fresh, context)).join("");
}

/** Lines with their line breaks; the last one has none if the text ends without. */
export function splitLines(text: string): string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Groups changes whose contexts touch into one hunk. */
function groupNear(differences: readonly Difference[], distance: number): Difference[][] {
  const groups: Difference[][] = [];
  for (const difference of differences) {
    const last = groups.at(-1)?.at(-1);
    if (last && difference.oldFrom - last.oldTo <= distance) groups.at(-1)!.push(difference);
    else groups.push([difference]);
  }
  return groups;
}

function formatHunk(
  group: readonly Difference[],
  old: readonly string[],
  fresh: readonly string[],
  context: number,
): string {
  const first = group[0]!;
  const last = group.at(-1)!;
  const lead = Math.min(context, first.oldFrom);
  const trail = Math.min(context, old.length - last.oldTo);
  const oldCount = last.oldTo + trail - (first.oldFrom - lead);
  const newCount = last.newTo + trail - (first.newFrom - lead);
  let at = first.oldFrom - lead;
  let out = `@@ -${range(at, oldCount)} +${range(first.newFrom - lead, newCount)} @@\n`;
  const show = (kind: string, lines: readonly string[], from: number, to: number) => {
    for (; from < to; from++) out += lineOf(kind, lines[from]!);
  };
  for (const { oldFrom, oldTo, newFrom, newTo } of group) {
    show(" ", old, at, oldFrom);
    show("-", old, oldFrom, oldTo);
    show("+", fresh, newFrom, newTo);
    at = oldTo;
  }
  show(" ", old, at, at + trail);
  return out;
}

/**
 * Formats a range as GNU diff does: an empty one names the line before it, one of a single line
 * omits its count.
 */
function range(from: number, count: number): string {
  if (count === 0) return `${from},0`;
  return count === 1 ? `${from + 1}` : `${from + 1},${count}`;
}

function lineOf(kind: string, line: string): string {
  return line.endsWith("\n") ? kind + line : `${kind}${line}\n${NO_BREAK}`;
}
