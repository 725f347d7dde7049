import type { Locator } from "playwright-core";

/** Milliseconds for the question. */
const ASK_MS = 5_000;

/**
 * Finds the innermost element in which words can be read that stand in several elements beside each other: a label and
 * its value. Case and white space do not matter. Resolves with undefined if they are not there.
 */
export async function findSpread(root: Locator, words: string): Promise<Locator | undefined> {
  const scope = root.first();
  const path = await scope.evaluate(DESCEND, words, { timeout: ASK_MS }).catch(() => undefined);
  return path?.reduce((parent, index) => parent.locator(`:scope > :nth-child(${index})`), scope);
}

/** Runs in the page: which child to take, from 1, from each element to the next. */
// eslint-disable-next-line no-new-func -- the names of a page are unknown here
const DESCEND = new Function(
  "element",
  "words",
  `
  const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim().toLowerCase();
  const wanted = plain(words);
  const reads = (one) => plain(one.innerText).includes(wanted);
  if (!reads(element)) return undefined;
  const path = [];
  for (let at = element; ; ) {
    const index = [...at.children].findIndex(reads);
    if (index < 0) return path;
    path.push(index + 1);
    at = at.children[index];
  }
`,
) as (element: unknown, words: string) => number[] | undefined;
