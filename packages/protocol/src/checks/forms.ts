import type { Cursor } from "./cursor.ts";
import { EXPECTATIONS } from "./expectations.ts";
import { readTarget, writeTarget } from "./target.ts";
import type { PageStep } from "./types.ts";

/** A form of a step. */
export interface StepForm {
  /** Examples for people who write steps. */
  examples: readonly [string, ...string[]];
  /**
   * Parses a step of this form; undefined if it does not match. A match with unread text does not
   * count.
   */
  read(cursor: Cursor): PageStep | undefined;
}

/** Maximum duration of a pause, in seconds. */
const PAUSE_SECONDS = 10;
/** Limits of a window's sides, in CSS pixels. */
const SIZES = { least: 200, most: 4_000 };
const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

/** All forms of steps, used for messages, documentation and editors. */
export const STEP_FORMS: readonly StepForm[] = [
  { examples: ["open /about"], read: readOpen },
  {
    examples: ["reload"],
    read: (cursor) =>
      cursor.word("reload") && (cursor.isAtEnd || cursor.words("the page"))
        ? { do: "reload" }
        : undefined,
  },
  {
    examples: ['click button "Add"', 'click button "Delete" in row "Milk"'],
    read: (cursor) =>
      cursor.word("click", "tap") ? on(cursor, { do: "click" }, cursor.words("on")) : undefined,
  },
  {
    examples: ['check checkbox "Milk"', 'uncheck switch "Dark mode"'],
    read(cursor) {
      const act = (["check", "uncheck"] as const).find((word) => cursor.word(word));
      return act && on(cursor, { do: act });
    },
  },
  {
    examples: ['type "Milk" in textbox "Task"', 'type "Milk {new}" in textbox "Task"'],
    read: (cursor) => readInto(cursor, "type", ["type", "enter", "fill"], ["in", "into"]),
  },
  {
    examples: ["press Enter", 'press Escape in dialog "Edit"'],
    read(cursor) {
      if (!cursor.word("press")) return undefined;
      const text = cursor.quoted() ?? cursor.match(/^[\w+]+$|^[^\s\w]$/)?.[0];
      if (text === undefined) return undefined;
      return cursor.word("in") ? on(cursor, { do: "press", text }) : { do: "press", text };
    },
  },
  {
    examples: ['select "By name" in combobox "Sort"'],
    read: (cursor) => readInto(cursor, "select", ["select", "choose"], ["in", "from"]),
  },
  {
    examples: ['hover link "Help"'],
    read: (cursor) =>
      cursor.word("hover") ? on(cursor, { do: "hover" }, cursor.word("over", "on")) : undefined,
  },
  {
    examples: ['drag listitem "Milk" to listitem "Bread"'],
    read(cursor) {
      if (!cursor.word("drag")) return undefined;
      const from = readTarget(cursor, ["to", "onto"]);
      if (!from || !cursor.word("to", "onto")) return undefined;
      const to = readTarget(cursor);
      return to && { do: "drag", on: writeTarget(from), to: writeTarget(to) };
    },
  },
  {
    examples: ['upload "list.csv" with "a,b" into "Import"'],
    read(cursor) {
      if (!cursor.word("upload")) return undefined;
      const file = cursor.quoted();
      const text = cursor.word("with") ? cursor.quoted() : "";
      if (file === undefined || text === undefined || !cursor.word("into", "in", "to"))
        return undefined;
      return on(cursor, { do: "upload", file, text });
    },
  },
  { examples: ["wait 2 seconds"], read: readPause },
  {
    examples: ['wait for "Saved"'],
    read(cursor) {
      if (!cursor.word("wait")) return undefined;
      // A number means a time, but not one this long.
      const isTime = !cursor.word("for") && cursor.match(/^\d/) !== undefined;
      return isTime ? undefined : on(cursor, { do: "wait" });
    },
  },
  { examples: ['request POST /api/votes {"a":1}', "request GET /api/votes"], read: readRequest },
  { examples: ["at 390x844"], read: readSize },
  { examples: ["on 2026-03-01", "on 2026-03-01 at 09:30"], read: readDate },
  {
    examples: ["without network", "with network"],
    read(cursor) {
      const word = cursor.word("without", "with");
      if (word === undefined || !cursor.words("network")) return undefined;
      return { do: word === "with" ? "online" : "offline" };
    },
  },
  ...EXPECTATIONS,
];

/** An example of every form, for messages and editors. */
export const stepExamples = (): string[] => [
  ...STEP_FORMS.flatMap(({ examples }) => examples),
  'as "second": click button "Join"',
];

/**
 * Parses the element that a step acts on.
 * @param _skipped an optional word before the element
 */
function on(cursor: Cursor, step: PageStep, _skipped?: unknown): PageStep | undefined {
  const target = readTarget(cursor);
  return target && { ...step, on: writeTarget(target) };
}

function readInto(
  cursor: Cursor,
  act: "type" | "select",
  verbs: readonly string[],
  links: readonly string[],
): PageStep | undefined {
  if (!cursor.word(...verbs)) return undefined;
  const text = cursor.quoted();
  if (text === undefined || !cursor.word(...links)) return undefined;
  return on(cursor, { do: act, text });
}

function readOpen(cursor: Cursor): PageStep | undefined {
  if (!cursor.word("open") && !cursor.words("go to")) return undefined;
  // An unquoted word may also mean something to open on the page.
  const text = cursor.quoted() ?? cursor.match(/[/.?#]/)?.input;
  return text === undefined ? undefined : { do: "open", text };
}

function readPause(cursor: Cursor): PageStep | undefined {
  if (!cursor.word("wait")) return undefined;
  const [, number, unit] = cursor.match(/^(\d{1,3}(?:\.\d{1,3})?)(s?)$/) ?? [];
  if (number === undefined || (unit === "" && !cursor.word("second", "seconds"))) return undefined;
  const seconds = Number(number);
  return seconds > 0 && seconds <= PAUSE_SECONDS
    ? { do: "pause", text: String(seconds) }
    : undefined;
}

function readRequest(cursor: Cursor): PageStep | undefined {
  if (!cursor.word("request")) return undefined;
  const method = cursor.word(...METHODS)?.toUpperCase();
  const text = method && (cursor.quoted() ?? cursor.match(/^\//)?.input);
  if (!method || !text?.startsWith("/")) return undefined;
  const body = cursor.quoted() ?? cursor.takeRest();
  return { do: "request", method, text, body: body === "" ? undefined : body };
}

function readSize(cursor: Cursor): PageStep | undefined {
  if (!cursor.word("at")) return undefined;
  const [, ...sides] = cursor.match(/^(\d{3,4})[x×](\d{3,4})$/i) ?? [];
  const isFit = (side: string) => Number(side) >= SIZES.least && Number(side) <= SIZES.most;
  return sides.length === 2 && sides.every(isFit)
    ? { do: "size", text: sides.join("x") }
    : undefined;
}

function readDate(cursor: Cursor): PageStep | undefined {
  if (!cursor.word("on")) return undefined;
  const [, day, minute] = cursor.match(/^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/) ?? [];
  if (day === undefined) return undefined;
  cursor.word("at");
  const time = minute ?? cursor.match(/^\d{2}:\d{2}$/)?.[0];
  const text = time === undefined ? day : `${day}T${time}`;
  const date = new Date(`${day}T${time ?? "12:00"}:00Z`);
  // The 31st of February would be a day in March.
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  return isDay ? { do: "date", text } : undefined;
}
