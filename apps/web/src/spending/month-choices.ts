import { languageTag } from "../words/words.ts";

/** Months that can be chosen, the current one included. */
const MONTHS = 12;

/** A calendar month in UTC, as budgets count it. */
export interface Month {
  /** `2026-11`. */
  value: string;
  name: string;
  /** The first moment and the first one after the end, in milliseconds since 1970. */
  from: number;
  to: number;
}

/** The latest months in the page's language, the current one first. */
export function monthChoices(now: number): Month[] {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return Array.from({ length: MONTHS }, (_, back) => {
    const from = Date.UTC(year, month - back);
    return {
      value: new Date(from).toISOString().slice(0, 7),
      name: new Date(from).toLocaleDateString(languageTag(), {
        month: "long",
        year: "numeric",
        timeZone: "UTC",
      }),
      from,
      to: Date.UTC(year, month - back + 1),
    };
  });
}
