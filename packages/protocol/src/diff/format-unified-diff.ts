import { type Difference, diffLines } from "./diff-lines.ts";

const NO_BREAK = "\\ No newline at end of file\n";

/**
 * A GNU unified diff without its file headers; `""` where nothing differs. Carriage returns are part of a line.
 * @param context lines shown around a change.
 */
export function formatUnifiedDiff(before: string, after: string, context = 3): string {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const differences = diffLines(old, fresh);
  const out: string[] = [];
  for (const group of groupNear(differences, context * 2))
    out.push(formatHunk(group, old, fresh, context));
  return out.join("");
}

function splitLines(text: string): string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Changes so near that their contexts touch stand in one hunk. */
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
  const out = [
    `@@ -${range(first.oldFrom - lead, oldCount)} +${range(first.newFrom - lead, newCount)} @@\n`,
  ];
  let at = first.oldFrom - lead;
  for (const { oldFrom, oldTo, newFrom, newTo } of group) {
    for (; at < oldFrom; at++) out.push(lineOf(" ", old[at]!));
    for (; at < oldTo; at++) out.push(lineOf("-", old[at]!));
    for (let line = newFrom; line < newTo; line++) out.push(lineOf("+", fresh[line]!));
  }
  for (; at < last.oldTo + trail; at++) out.push(lineOf(" ", old[at]!));
  return out.join("");
}

/** An empty range names the line before it, a range of one line leaves its count out: so GNU diff writes them. */
function range(from: number, count: number): string {
  if (count === 0) return `${from},0`;
  return count === 1 ? `${from + 1}` : `${from + 1},${count}`;
}

function lineOf(kind: string, line: string): string {
  return line.endsWith("\n") ? kind + line : `${kind}${line}\n${NO_BREAK}`;
}
