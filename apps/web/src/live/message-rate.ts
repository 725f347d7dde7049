/** Maximum messages in a burst, and per second afterwards; loading a page takes about ten. */
const BURST_MESSAGES = 200;
const MESSAGES_PER_SECOND = 50;

/**
 * Limits the rate of messages from a page, whose generated code could otherwise block the workbench with 100,000
 * messages a second (A87).
 * @param now returns the current time in milliseconds
 * @returns a function to call for each message, which returns whether to accept it
 */
export function createMessageRate(now: () => number): () => boolean {
  let remaining = BURST_MESSAGES;
  let last = now();
  return () => {
    const time = now();
    remaining = Math.min(BURST_MESSAGES, remaining + ((time - last) / 1000) * MESSAGES_PER_SECOND);
    last = time;
    if (remaining < 1) return false;
    remaining--;
    return true;
  };
}
