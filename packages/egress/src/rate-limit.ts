/** Refusals that are answered at once. */
const PER_SECOND = 100;
/** What comes on top waits this long: a program that asks without end is slowed, and the server is not. */
const WAIT_MS = 1_000;

/** Lets the first of each second through and makes the others wait. Waiting ones keep no process alive. */
export function createRateLimit(
  now: () => number = () => performance.now(),
): (act: () => void) => void {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (act) => {
    if (now() - since >= 1_000) {
      since = now();
      count = 0;
    }
    if (++count <= PER_SECOND) act();
    else setTimeout(act, WAIT_MS).unref();
  };
}
