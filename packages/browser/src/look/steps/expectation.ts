import { parseTarget, writeTarget, type PageState, type PageStep } from "@treadle/protocol/checks";
import { countTargets, findTarget, isIn, type FoundTarget } from "./find-target.ts";
import { readBrowserFile } from "./isolated.ts";
import { nearMisses } from "./near-misses.ts";
import type { Person } from "./person.ts";
import { readStyle, type StyleSeen } from "./style.ts";
import { escapePattern, partPattern } from "./text-part.ts";

/** Milliseconds between two checks. */
const AGAIN_MS = 100;
/** Time limit for one query of an element, in milliseconds. */
const ASK_MS = 5_000;
/** Maximum length of a reported text, in characters. */
const SHOWN = 200;

/**
 * Checks whether an expectation holds now.
 * @returns undefined, or what is seen instead, in words
 */
export async function lookFor(person: Person, step: PageStep): Promise<string | undefined> {
  const { page } = person;
  const { text = "", on = text } = step;
  switch (step.do) {
    case "expect_address":
      return expectAddress(page.url(), text);
    case "expect_console":
      return person.errors.length === 0 ? undefined : `there is “${person.errors[0]}”`;
    case "expect_status":
      if (!person.answer) return "no request was made";
      if (String(person.answer.status) === text) return undefined;
      return `it answered ${person.answer.status}: “${person.answer.body.slice(0, SHOWN)}”`;
    case "expect_body":
      return expectBody(person, step);
    case "expect_no_body":
      if (!person.answer) return "no request was made";
      return person.answer.body.includes(text) ? "it is there" : undefined;
    case "expect_file":
      return expectFile(person, step);
    case "expect_gone":
      return expectGone(person, step, on);
    default:
      return expectThere(person, step, on);
  }
}

/**
 * Waits until an expectation holds.
 * @returns undefined, or a description of what the page shows instead
 */
export async function expectStep(
  person: Person,
  step: PageStep,
  ms: number,
): Promise<string | undefined> {
  const until = performance.now() + ms;
  for (;;) {
    const seen = await lookFor(person, step);
    if (seen === undefined) return undefined;
    if (performance.now() >= until)
      return seen === NOT_THERE
        ? (answered(person, step) ?? missing(person, step.on ?? step.text ?? ""))
        : seen;
    await person.page.waitForTimeout(AGAIN_MS);
  }
}

const NOT_THERE = "it is not there";

/** What to expect instead, if what is missing on the page is in the answer of the last request. */
function answered({ answer }: Person, { do: act, on = "", text }: PageStep): string | undefined {
  const { words } = parseTarget(on);
  if (act !== "expect" || text !== undefined || words === undefined) return undefined;
  return answer?.body.includes(words)
    ? `it is not on the page; the request's answer has it: \`expect body ${JSON.stringify(words)}\``
    : undefined;
}

/** Describes what exists instead of a missing element. */
export async function missing({ page }: Person, on: string): Promise<string> {
  const target = parseTarget(on);
  const { within } = target;
  const scope = within && (await findTarget(page, writeTarget(within), 0, true));
  // If the enclosing row is missing, it is reported.
  const lacking = within && !scope ? within : target;
  if (scope && target.words !== undefined) {
    const says = await contentOf(scope);
    if (says !== "") return `it says “${says.slice(0, SHOWN)}”`;
  }
  const there = await nearMisses(scope?.locator ?? page.locator("body"), lacking);
  if (there !== undefined) return `there is no ${writeTarget(lacking)}; there is ${there}`;
  return lacking === target ? NOT_THERE : `there is no ${writeTarget(lacking)}`;
}

async function expectThere(
  { page }: Person,
  { text, count, style, compare, is = [], on: named }: PageStep,
  on: string,
): Promise<string | undefined> {
  if (on === "") return "it does not say what";
  if (count !== undefined) {
    const among = await countTargets(page, on);
    return among === count ? undefined : `there are ${among}`;
  }
  const found = await findTarget(page, on, 0, true);
  if (!found) return NOT_THERE;
  if (style !== undefined)
    return styleProblem(await readStyle(found.locator, { style, value: text ?? "", compare }));
  for (const state of is) if (!(await isIn(found.locator, state))) return notIn(state);
  if (text === undefined || named === undefined) return undefined;
  const says = await contentOf(found);
  return isContent(says, text) ? undefined : `it says “${says.slice(0, SHOWN)}”`;
}

async function expectGone({ page }: Person, { text, on: named }: PageStep, on: string) {
  const found = await findTarget(page, on, 0, true);
  if (!found) return undefined;
  if (text === undefined || named === undefined) return "it is still there";
  return isContent(await contentOf(found), text) ? `it still says “${text}”` : undefined;
}

const isContent = (says: string, text: string) =>
  text.trim() === "" ? says === "" : partPattern(text).test(says);

const notIn = (state: PageState) => `it is not ${state}`;

const styleProblem = ({ isAsExpected, is }: StyleSeen) =>
  isAsExpected ? undefined : `it is ${is}`;

/** The visible content: a field's value, else its text. */
async function contentOf({ locator }: FoundTarget): Promise<string> {
  const timeout = ASK_MS;
  return locator
    .inputValue({ timeout })
    .catch(() => locator.innerText({ timeout }))
    .catch(() => "");
}

/**
 * `*` matches anything within a path segment; a query or hash is only compared if the step names
 * one.
 */
function expectAddress(url: string, text: string): string | undefined {
  const { pathname, search, hash } = new URL(url);
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(text) ?? [];
  const pattern = path.split("*").map(escapePattern).join("[^/]*");
  const isThere =
    new RegExp(`^${pattern}$`).test(decoded(pathname)) &&
    (query === "" || query === decoded(search)) &&
    (fragment === "" || fragment === decoded(hash));
  return isThere ? undefined : `it is ${`${pathname}${search}${hash}`.slice(0, SHOWN)}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function expectBody({ answer }: Person, { text = "", body }: PageStep): string | undefined {
  if (!answer) return "no request was made";
  const isThere =
    body === undefined ? answer.body.includes(text) : holds(json(answer.body), json(body));
  return isThere ? undefined : `it is “${answer.body.slice(0, SHOWN)}”`;
}

/**
 * Whether a value contains everything in another one; lists are compared entry by entry. An expected empty list is only
 * matched by an empty list: such a check asserts that nothing is left.
 */
function holds(value: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return value === expected;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(expected) !== Array.isArray(value)) return false;
  if (Array.isArray(expected) && expected.length === 0) return Object.keys(value).length === 0;
  return Object.entries(expected).every(
    ([key, one]) =>
      Object.hasOwn(value, key) && holds((value as Record<string, unknown>)[key], one),
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function expectFile({ page, downloads }: Person, { file, text }: PageStep) {
  const named = downloads.findLast((one) => one.suggestedFilename() === file);
  const last = downloads.at(-1);
  if (!named) return last ? `the file is “${last.suggestedFilename()}”` : "no file came";
  const failure = await named.failure();
  if (failure !== null) return `the file did not come: ${failure}`;
  if (text === undefined) return undefined;
  const content = await readBrowserFile(page, await named.path());
  return content.includes(text) ? undefined : `it holds “${content.slice(0, SHOWN)}”`;
}
