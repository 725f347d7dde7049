import fc from "fast-check";
import { expect, it } from "vitest";
import { createActivity, type Aside } from "./project-activity.ts";

const ASIDES: Aside[] = ["look", "compact", "restore"];

/** Work that ends on request; a look and a compaction also end when they are aborted. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    end: resolve,
    act: (signal?: AbortSignal) => {
      signal?.addEventListener("abort", () => resolve());
      return promise;
    },
  };
}

it.each(ASIDES)("refuses everything but a run during a %s", async (what) => {
  const activity = createActivity();
  const { act, end } = work();
  const doing = activity.begin(what, () => act());
  for (const other of ASIDES)
    expect(() => activity.begin(other, async () => {})).toThrow("being worked on");
  end();
  await doing;
  expect(activity.state).toBe("idle");
});

it.each(["run", "wait"] as const)("refuses everything except runs after %s", (event) => {
  const activity = createActivity();
  activity.announce(event);
  for (const other of ASIDES)
    expect(() => activity.begin(other, async () => {})).toThrow("being worked on");
});

it.each(["look", "compact"] as const)(
  "a message ends a %s, and its run begins only after that",
  async (what) => {
    const activity = createActivity();
    const order: string[] = [];
    const late = work();
    let aborted: AbortSignal | undefined;
    const doing = activity.begin(what, async (signal) => {
      aborted = signal;
      await late.act();
      order.push(what);
    });
    activity.announce("run");
    const run = activity.run(async () => void order.push("run"));
    await Promise.resolve();
    expect(aborted?.aborted).toBe(true);
    expect(order).toEqual([]);
    late.end();
    await Promise.all([doing, run]);
    expect(order).toEqual([what, "run"]);
    expect(activity.state).toBe("running");
  },
);

it("finishes restoring files despite a message, and closing waits for it", async () => {
  const activity = createActivity();
  const order: string[] = [];
  const { act, end } = work();
  const doing = activity.begin("restore", async (signal) => {
    await act(signal);
    order.push("restored");
  });
  activity.announce("run");
  const run = activity.run(async () => void order.push("run"));
  const closed = activity.close(new Error("over")).then(() => order.push("closed"));
  await Promise.resolve();
  expect(order).toEqual([]);
  end();
  await Promise.all([doing, run, closed]);
  expect(order[0]).toBe("restored");
  expect(order).toHaveLength(3);
  expect(() => activity.begin("look", async () => {})).toThrow("being worked on");
});

it("work requested after a run's end waits for the follow-up work", async () => {
  const activity = createActivity();
  const order: string[] = [];
  const { act, end } = work();
  activity.announce("run");
  const run = activity.run(async () => {
    activity.announce("run-end");
    await act();
    order.push("kept");
  });
  await Promise.resolve();
  const back = activity.begin("restore", async () => void order.push("restored"));
  // The queue announces that it is empty; by then, other work is active.
  activity.announce("runs-over");
  expect(activity.state).toBe("restoring");
  end();
  await Promise.all([run, back]);
  expect(order).toEqual(["kept", "restored"]);
});

it("never gives the files to two at once, in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("message", "stop", ...ASIDES), { maxLength: 12 }),
      fc.scheduler(),
      async (acts, s) => {
        const activity = createActivity();
        let atWork = 0;
        const doing: Promise<unknown>[] = [];
        const use = (name: string) => async () => {
          expect(++atWork, name).toBe(1);
          await s.schedule(Promise.resolve(), name);
          atWork--;
        };
        for (const act of acts) {
          if (act === "message") {
            activity.announce("run");
            const run = activity.run(use(act)).then(() => {
              activity.announce("run-end");
              activity.announce("runs-over");
            });
            doing.push(run);
          } else if (act === "stop") doing.push(activity.stop(new Error("stopped")));
          else
            try {
              doing.push(activity.begin(act, use(act)));
            } catch {
              // Refused, since other work is active.
            }
        }
        await s.waitFor(Promise.all(doing));
        expect(activity.isBusy()).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});
