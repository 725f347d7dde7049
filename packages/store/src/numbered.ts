import type { NewEntry } from "./engine.ts";

/** The entries of a group with their numbers, in order, without those of projects that do not exist. */
export function numbered(
  entries: readonly NewEntry[],
  heads: ReadonlyMap<string, number>,
): (NewEntry & { seq: number })[] {
  const next = new Map(heads);
  for (const { project } of entries) {
    const head = next.get(project);
    if (head !== undefined) next.set(project, head - 1);
  }
  return entries.flatMap((entry) => {
    const before = next.get(entry.project);
    if (before === undefined) return [];
    next.set(entry.project, before + 1);
    return [{ ...entry, seq: before + 1 }];
  });
}
