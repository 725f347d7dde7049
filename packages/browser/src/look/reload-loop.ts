/** So often one page may be opened within one look: a dev server that finds new packages reloads it a few times. */
const REOPENED = 6;
/** Documents that may follow each other. */
const DOCUMENTS = 20;

/** The path that a page opens again and again by itself, if it does. @param documents how often each was opened in a look */
export function reloadLoop(documents: ReadonlyMap<string, number>): string | undefined {
  let all = 0;
  for (const [path, times] of documents) {
    all += times;
    if (times >= REOPENED || all >= DOCUMENTS) return path;
  }
  return undefined;
}
