import { parseTarget, type PageState, type Target } from "@treadle/protocol/checks";
import type { Locator, Page } from "playwright-core";
import { findSpread } from "./spread-text.ts";
import { partPattern } from "./text-part.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** Milliseconds between two checks for an element. */
const AGAIN_MS = 100;

/** Selectors of the states of an element. */
const STATES: Record<PageState, string> = {
  checked: ':checked, [aria-checked="true"]',
  unchecked:
    'input:is([type="checkbox"], [type="radio"]):not(:checked):not(:indeterminate), [aria-checked="false"]',
  mixed: ':indeterminate:not(progress), [aria-checked="mixed"], [aria-pressed="mixed"]',
  disabled: ':disabled, [aria-disabled="true"]',
  enabled: ':not(:disabled, [aria-disabled="true"])',
  focused: ":focus",
  selected: 'option:checked, [aria-selected="true"]',
  pressed: '[aria-pressed="true"]',
  expanded: 'details[open] > summary, [aria-expanded="true"]',
  collapsed: 'details:not([open]) > summary, [aria-expanded="false"]',
};

export interface FoundTarget {
  locator: Locator;
  /** Number of matching elements, of which the first is taken. */
  among: number;
}

/**
 * Finds the element that a person would mean: exact names before partial ones, controls before
 * plain text, and only visible ones. Resolves with undefined if none appeared within `ms`. Rejects
 * if `css=` is not followed by a valid selector.
 * @param asText whether words may be spread over several elements, which can be read but not
 * clicked
 */
export async function findTarget(
  page: Page,
  on: string,
  ms: number,
  asText = false,
): Promise<FoundTarget | undefined> {
  const target = parseTarget(on);
  const until = performance.now() + ms;
  for (;;) {
    const found = await allOf(page, target, asText);
    if (found) return { locator: found.locator.first(), among: found.among };
    if (performance.now() >= until) return undefined;
    await page.waitForTimeout(AGAIN_MS);
  }
}

/** Number of visible elements that match now. Rejects like `findTarget`. */
export async function countTargets(page: Page, on: string): Promise<number> {
  return (await allOf(page, parseTarget(on)))?.among ?? 0;
}

/** Whether an element is in a state. */
export const isIn = async (locator: Locator, state: PageState): Promise<boolean> =>
  (await locator.and(locator.page().locator(STATES[state])).count()) > 0;

/** All matches of the first successful way to find the target, inside its container. */
async function allOf(
  root: Page | Locator,
  target: Target,
  asText = false,
): Promise<FoundTarget | undefined> {
  const scope = target.within ? (await allOf(root, target.within))?.locator : root;
  if (!scope) return undefined;
  const page = "page" in root ? root.page() : root;
  for (const way of waysTo(scope, target)) {
    const inState = (target.states ?? []).reduce(
      (found, state) => found.and(page.locator(STATES[state])),
      way,
    );
    const locator = inState.filter({ visible: true });
    const among = await locator.count();
    if (among > 0) return { locator, among };
  }
  const { words = "", states } = target;
  if (!asText || states || !/\S\s+\S/.test(words)) return undefined;
  const spread = await findSpread("page" in scope ? scope : page.locator("body"), words);
  return spread && { locator: spread, among: 1 };
}

function waysTo(root: Page | Locator, { css, role, name, words, level }: Target): Locator[] {
  if (css !== undefined) return [root.locator(css)];
  if (words !== undefined) return [...byWords(root, words, true), ...byWords(root, words, false)];
  const named = byRole(root, role as Role, name, level);
  // A lone word such as "timer" may be a button's name, a role, or part of a text, in this order.
  return name === undefined && level === undefined
    ? [...byWords(root, role!, true), ...named, ...byWords(root, role!, false)]
    : named;
}

function byRole(
  root: Page | Locator,
  role: Role,
  name: string | undefined,
  level: number | undefined,
): Locator[] {
  const options = level === undefined ? {} : { level };
  if (name === undefined) return [root.getByRole(role, options)];
  const page = "page" in root ? root.page() : root;
  return [
    root.getByRole(role, { ...options, name, exact: true }),
    // Rows and list items are identified by an exact content before a partial one.
    root.getByRole(role, options).filter({ has: page.getByText(name, { exact: true }) }),
    root.getByRole(role, { ...options, name: part(name) }),
    // Paragraphs and list items have no accessible name, so their text is compared.
    root.getByRole(role, options).filter({ hasText: part(name) }),
  ];
}

function byWords(root: Page | Locator, words: string, exact: boolean): Locator[] {
  const text = exact ? words : part(words);
  return [
    root
      .getByRole("button", { name: text, exact })
      .or(root.getByRole("link", { name: text, exact })),
    root.getByLabel(text, { exact }),
    root.getByPlaceholder(text, { exact }),
    root.getByText(text, { exact }),
  ];
}

/** A text that may be part of a longer one. An empty one is part of all. */
const part = (text: string): string | RegExp => (text.trim() === "" ? text : partPattern(text));
