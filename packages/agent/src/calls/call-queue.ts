/**
 * Runs calls one at a time in the order in which they were added, each as soon as the one before it has ended. By hand,
 * since p-limit can forget what waits but not give it back, and each call has to get a result.
 */
export interface CallQueue<Call> {
  add(call: Call): void;
  /** Calls that have not begun are given back and will not run. */
  drop(): Call[];
  /** Resolves when nothing runs and nothing waits. */
  drained(): Promise<void>;
}

/** @param run must not reject: what fails is the call's result. */
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
