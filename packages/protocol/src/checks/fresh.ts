import type { PageStep } from "./types.ts";

/** The placeholder in a step for a value that is new in each run of its check. */
export const NEW_VALUE = "{new}";

const LETTERS = "abcdefghijkmnpqrstuvwxyz";
const SIGNS = `${LETTERS}23456789`;
/** Signs of a new value: enough that two tries never have the same. */
const LENGTH = 8;

/** A word that no earlier try had: lower-case letters and digits, a letter first, fit for names and addresses. */
export function freshValue(random: () => number = Math.random): string {
  const sign = (signs: string) => signs[Math.floor(random() * signs.length)]!;
  return sign(LETTERS) + Array.from({ length: LENGTH - 1 }, () => sign(SIGNS)).join("");
}

/** Puts a value for `{new}` into every text of the steps: the same for all steps and persons of one try. */
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
