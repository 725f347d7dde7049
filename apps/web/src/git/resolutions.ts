import type { Conflict, Resolution } from "../api/git.ts";

/** What stands for a conflict before the person has chosen: nothing. */
export type Choices = ReadonlyMap<string, Resolution>;

/** Lines that git puts around what differs. `=======` alone underlines headings in texts of people. */
const MARK = /^(?:<{7}|>{7})(?: .*)?\r?$/m;

/** Whether a text still has what git puts around two versions. */
export const hasMarks = (text: string): boolean => MARK.test(text);

/** Whether a choice can be kept: one side as it is, or a text in which both were brought together. */
const isSettled = (choice: Resolution | undefined): choice is Resolution =>
  choice !== undefined && ("take" in choice || !hasMarks(choice.text));

/** How many conflicts have no answer yet. */
export const openConflicts = (conflicts: readonly Conflict[], choices: Choices): number =>
  conflicts.filter(({ path }) => !isSettled(choices.get(path))).length;

/** What is sent once all have an answer; undefined before. */
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
