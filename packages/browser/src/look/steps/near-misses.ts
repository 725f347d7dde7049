import { quoteText, type Target } from "@treadle/protocol/checks";
import type { Locator } from "playwright-core";

/** Time limit for the outline, in milliseconds. */
const OUTLINE_MS = 3_000;
/** Maximum number of elements named. */
const NAMED = 3;
/** Maximum length of a name, in characters. */
const NAME = 60;
/** A role and a name in the outline. */
const LINE = /^\s*- '?([a-z]+) "((?:[^"\\]|\\.)*)"/;

/**
 * Describes elements similar to a missing one in a part of the page: the same name with another
 * role, else the same role with other names. Undefined if nothing is similar.
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
