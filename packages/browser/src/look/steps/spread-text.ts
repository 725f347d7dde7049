import type { Locator } from "playwright-core";
import { partSource } from "./text-part.ts";

/** Time limit for the query, in milliseconds. */
const ASK_MS = 5_000;

/**
 * Finds the innermost element whose text contains words spread over several child elements: a label
 * and its value. Ignores case and white space. Resolves with undefined if there is none.
 */
export async function findSpread(root: Locator, words: string): Promise<Locator | undefined> {
  const scope = root.first();
  const path = await scope
    .evaluate(DESCEND, partSource(words), { timeout: ASK_MS })
    .catch(() => undefined);
  return path?.reduce((parent, index) => parent.locator(`:scope > :nth-child(${index})`), scope);
}

/** Runs in the page: returns the index, from 1, of the child to take at each level. */
// eslint-disable-next-line no-new-func -- the names of a page are unknown here
const DESCEND = new Function(
  "element",
  "source",
  `
  const pattern = new RegExp(source, "iu");
  const reads = (one) => pattern.test(one.innerText ?? "");
  if (!reads(element)) return undefined;
  const path = [];
  for (let at = element; ; ) {
    const index = [...at.children].findIndex(reads);
    if (index < 0) return path;
    path.push(index + 1);
    at = at.children[index];
  }
`,
) as (element: unknown, source: string) => number[] | undefined;
