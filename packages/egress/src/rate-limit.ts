/** Number of calls per second that run immediately. */
const PER_SECOND = 100;
/** Delay of further ones in milliseconds: it slows down a program that asks endlessly, but not the server. */
const WAIT_MS = 1_000;

/**
 * Lets the first calls of each second through and delays the others. Waiting does not keep the
 * process alive.
 */
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
