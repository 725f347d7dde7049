/** Messages that may come at once, and in each second after that: a page that is loaded says some ten. */
const AT_ONCE = 200;
const IN_A_SECOND = 50;

/**
 * Whether one more message of a page is heard. Generated code is on the other side: one that says the same a hundred
 * thousand times a second is not to hold the workbench up (A87).
 * @param now milliseconds
 */
export function createMessageRate(now: () => number): () => boolean {
  let left = AT_ONCE;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(AT_ONCE, left + ((time - last) / 1000) * IN_A_SECOND);
    last = time;
    if (left < 1) return false;
    left--;
    return true;
  };
}
