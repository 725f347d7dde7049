/** Lines of one text up to which two can be brought together: equal ones (blank, brackets) cost each against each. */
const LINES = 10_000;

/** Whether it would take the page no noticeable time. */
export const canMerge = (...texts: readonly string[]): boolean =>
  texts.every((text) => text.length < 1_000_000 && text.split("\n", LINES + 1).length <= LINES);
