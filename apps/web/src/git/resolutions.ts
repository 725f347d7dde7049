import type { Conflict, Resolution } from "../api/git.ts";

/** The person's choice per conflict; empty at first. */
export type Choices = ReadonlyMap<string, Resolution>;

/** Git's conflict markers. Excludes `=======` alone, which underlines headings in ordinary texts. */
const MARK = /^(?:<{7}|>{7})(?: .*)?\r?$/m;

/** Whether a text still contains conflict markers. */
export const hasMarks = (text: string): boolean => MARK.test(text);

/** Whether a choice is complete: one side unchanged, or a merged text without markers. */
const isSettled = (choice: Resolution | undefined): choice is Resolution =>
  choice !== undefined && ("take" in choice || !hasMarks(choice.text));

/** Number of unresolved conflicts. */
export const openConflicts = (conflicts: readonly Conflict[], choices: Choices): number =>
  conflicts.filter(({ path }) => !isSettled(choices.get(path))).length;

/** The resolutions to send; undefined until all conflicts are resolved. */
export function resolutionsOf(
  conflicts: readonly Conflict[],
  choices: Choices,
): Record<string, Resolution> | undefined {
  const settled: [string, Resolution][] = [];
  for (const { path } of conflicts) {
    const choice = choices.get(path);
    if (!isSettled(choice)) return undefined;
    settled.push([path, choice]);
  }
  return Object.fromEntries(settled);
}
