import type { PageStep } from "./types.ts";

/** The placeholder in a step for a value that is new in each run of its check. */
export const NEW_VALUE = "{new}";

const LETTERS = "abcdefghijkmnpqrstuvwxyz";
const SIGNS = `${LETTERS}23456789`;
/** Length of a new value, large enough to avoid repetitions. */
const LENGTH = 8;

/**
 * Creates a unique word of lower-case letters and digits, beginning with a letter, usable in names
 * and addresses.
 */
export function freshValue(random: () => number = Math.random): string {
  const sign = (signs: string) => signs[Math.floor(random() * signs.length)]!;
  return sign(LETTERS) + Array.from({ length: LENGTH - 1 }, () => sign(SIGNS)).join("");
}

/**
 * Replaces `{new}` in all texts of the steps by one value: the same for all steps and persons of a
 * run.
 */
export function withFresh(steps: readonly PageStep[], value: string): PageStep[] {
  return steps.map((step) => {
    const filled = { ...step };
    for (const key of ["on", "text", "to", "file", "body"] as const) {
      const text = step[key];
      if (text !== undefined) filled[key] = text.replaceAll(NEW_VALUE, value);
    }
    return filled;
  });
}
