import { quoteText, type Target } from "@treadle/protocol/checks";
import type { Locator } from "playwright-core";

/** Milliseconds for the outline. */
const OUTLINE_MS = 3_000;
/** Elements that are named. */
const NAMED = 3;
/** Characters of a name that are named. */
const NAME = 60;
/** A role and a name, as the outline prints them. */
const LINE = /^\s*- '?([a-z]+) "((?:[^"\\]|\\.)*)"/;

/**
 * What a part of the page has in place of an element that it has not: the same name under another role, else the same role under
 * other names. In words; undefined where nothing comes near.
 */
export async function nearMisses(
  root: Locator,
  { role, name, words }: Target,
): Promise<string | undefined> {
  const wantedName = (name ?? words)?.trim().toLowerCase();
  if (wantedName === undefined) return undefined;
  const outline = await root.ariaSnapshot({ timeout: OUTLINE_MS }).catch(() => "");
  const there = outline.split("\n").flatMap((line) => {
    const [, as, called] = LINE.exec(line) ?? [];
    return as === undefined || called === undefined ? [] : [{ role: as, name: unescaped(called) }];
  });
  const isCalled = (test: (called: string) => boolean) =>
    there.filter((one) => test(one.name.toLowerCase()));
  const near =
    [
      isCalled((called) => called === wantedName),
      isCalled(
        (called) =>
          wantedName !== "" && (called.includes(wantedName) || wantedName.includes(called)),
      ),
      there.filter((one) => one.role === role),
    ].find((found) => found.length > 0) ?? [];
  const names = new Set(near.map((one) => `${one.role} ${quoteText(one.name.slice(0, NAME))}`));
  return names.size === 0 ? undefined : [...names].slice(0, NAMED).join(", ");
}

const unescaped = (text: string) => text.replaceAll(/\\(.)/g, "$1");
