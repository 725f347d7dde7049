/**
 * Runs calls one at a time in the order in which they were added, each as soon as the one before it has ended. Not
 * p-limit, which can clear its queue but not return it: each call has to get a result.
 */
export interface CallQueue<Call> {
  add(call: Call): void;
  /** Removes the calls that have not begun, which will not run, and returns them. */
  drop(): Call[];
  /** Resolves when no call runs or waits. */
  drained(): Promise<void>;
}

/** @param run must not reject: a failure is recorded as the call's result */
export function createCallQueue<Call>(run: (call: Call) => Promise<void>): CallQueue<Call> {
  let waiting: Call[] = [];
  let going: Promise<void> | undefined;

  const work = async () => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await run(call);
    going = undefined;
  };
  return {
    add(call) {
      waiting.push(call);
      going ??= work();
    },
    drop() {
      const dropped = waiting;
      waiting = [];
      return dropped;
    },
    async drained() {
      await going;
    },
  };
}
