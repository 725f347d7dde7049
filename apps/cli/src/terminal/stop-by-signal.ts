import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What shells add to a signal's number for the exit status of a command that it ended. */
const BY_SIGNAL = 128;

/**
 * Runs work that a signal stops: it can then clean up, which Node does not wait for otherwise. A
 * second signal ends the program at once.
 * @param work takes a signal that is aborted; what it does then is up to it
 * @returns what `work` resolves to, or the exit status of a program that the signal ended
 */
export async function stopBySignal(
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  let status: number | undefined;
  const stop = (name: NodeJS.Signals) => {
    // Not by the signal itself: what listens for `exit` still has to put things right.
    if (status !== undefined) process.exit(status);
    status = BY_SIGNAL + constants.signals[name];
    controller.abort(new Error(`it was stopped (${name})`));
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    const result = await work(controller.signal);
    return result === 0 ? result : (status ?? result);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}
