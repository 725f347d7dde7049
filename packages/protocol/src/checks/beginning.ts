import { isSetting, type PageStep } from "./types.ts";

/** The initial state of a check, before any action. */
export interface Beginning {
  /** Path of the first page; `/` if the steps name none. */
  path: string;
  /** The window, in CSS pixels. */
  size?: { width: number; height: number };
  /** The initial time for the page and the app's server; absent: now. */
  date?: Date;
  /** The steps without the one that names the path. */
  rest: PageStep[];
}

/** Reads the steps at the start of a check: window, day, and first page. */
export function beginningOf(steps: readonly PageStep[]): Beginning {
  const start = steps.findIndex((step) => !isSetting(step) || step.as !== undefined);
  const settings = start === -1 ? steps : steps.slice(0, start);
  const size = settings.findLast(({ do: act }) => act === "size");
  const date = settings.findLast(({ do: act }) => act === "date");
  const first = steps[start];
  const opens = first?.do === "open" && first.as === undefined;
  const { text = "/" } = opens ? first : {};
  return {
    path: text.startsWith("/") ? text : `/${text}`,
    size: size ? sizeOf(size) : undefined,
    date: date ? dateOf(date) : undefined,
    rest: opens ? steps.filter((step) => step !== first) : [...steps],
  };
}

/** The window of an `at` step, in CSS pixels. */
export function sizeOf({ text = "" }: PageStep): { width: number; height: number } {
  const [width = 1280, height = 800] = text.split("x").map(Number);
  return { width, height };
}

/**
 * The time of an `on` step: noon if it names only a day, because noon is on the same day nearly
 * everywhere.
 */
export function dateOf({ text = "" }: PageStep): Date {
  return new Date(text.includes("T") ? text : `${text}T12:00`);
}
