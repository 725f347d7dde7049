import type { LogEvent } from "@treadle/protocol";
import type { QueuedMessage } from "@treadle/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProjectContext } from "../project-context/project-context.ts";
import { createRunQueue } from "./run-queue.ts";

/** A project whose runs fail for lack of a model, unless they are stopped first. */
function makeContext(settled: () => Promise<void> = () => Promise.resolve()) {
  const events: LogEvent[] = [];
  const context = {
    id: "p",
    view: {},
    trust: { watchCommands: () => ({ see() {}, close() {} }) },
    append: (event: LogEvent) => events.push(event),
    parts: {
      clock: { now: () => 0 },
      store: {
        projects: { update: async () => {} },
        log: { settled },
        messages: { list: async () => [], put: async () => {} },
      },
      models: {
        resolve: () => Promise.reject(new Error("It was not stopped, but wanted a model.")),
      },
      onNotice() {},
    },
  } as unknown as ProjectContext;
  return { context, events };
}

const activity = { announce() {}, run: <Result>(work: () => Promise<Result>) => work() };

it("a stop during the recording of a message stops its run", async () => {
  const written = Promise.withResolvers<void>();
  const { context, events } = makeContext(() => written.promise);
  const queue = createRunQueue(context, activity, () => Promise.resolve());
  const added = queue.add({ message: "m", run: "r", text: "Build", model: "fake:one" });
  await expect.poll(() => events.length).toBe(1);
  await queue.stopCurrent();
  written.resolve();
  await added;
  await queue.idle();
  expect(events.at(-1)).toMatchObject({ type: "run-end", outcome: "stopped" });
});

it("a stop between two runs stops the second", async () => {
  const { context, events } = makeContext();
  const reached = Promise.withResolvers<void>();
  const follows = Promise.withResolvers<void>();
  const queue = createRunQueue(context, activity, async () => {
    reached.resolve();
    await follows.promise;
  });
  await queue.add({ message: "m1", run: "r1", text: "Build", model: "fake:one" });
  await reached.promise;
  await queue.add({ message: "m2", run: "r2", text: "Again", model: "fake:one" });
  const stopped = Promise.all([queue.stopCurrent(), queue.stopCurrent()]);
  follows.resolve();
  await stopped;
  expect(events.at(-1)).toMatchObject({ type: "run-end", run: "r2", outcome: "stopped" });
});

it("a stop during the follow-up work of a finished run stops the next one", async () => {
  const { context, events } = makeContext();
  const toldEnd = Promise.withResolvers<void>();
  const putAway = Promise.withResolvers<void>();
  const slow = {
    ...activity,
    run: async <Result>(work: () => Promise<Result>) => {
      const result = await work();
      toldEnd.resolve();
      await putAway.promise;
      return result;
    },
  };
  const queue = createRunQueue(context, slow, () => Promise.resolve());
  await queue.add({ message: "m1", run: "r1", text: "Build", model: "fake:one" });
  await toldEnd.promise;
  expect(events.at(-1)).toMatchObject({ type: "run-end", run: "r1", outcome: "error" });
  await queue.add({ message: "m2", run: "r2", text: "Again", model: "fake:one" });
  const stopped = queue.stopCurrent();
  putAway.resolve();
  expect(await stopped).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "run-end", run: "r2", outcome: "stopped" });
});

it("a stop reports whether there was a run to stop", async () => {
  const { context } = makeContext();
  const queue = createRunQueue(context, activity, () => Promise.resolve());
  expect(await queue.stopCurrent()).toBe(false);
  void queue.add({ message: "m", run: "r", text: "Build", model: "fake:one" });
  expect(await queue.stopCurrent()).toBe(true);
  expect(await queue.stopCurrent()).toBe(false);
});

/**
 * A queue over a record whose writes end as the test determines; by default, at once and
 * successfully.
 */
function makeQueue() {
  const { context, events } = makeContext();
  let write = (): Promise<void> => Promise.resolve();
  let record: QueuedMessage[] = [];
  context.parts.store.projects.update = async (_id, { queue = [] }) => {
    await write();
    record = queue;
  };
  return {
    queue: createRunQueue(context, activity, () => Promise.resolve()),
    context,
    events,
    record: () => record.map(({ message }) => message),
    writesEnd: (how: () => Promise<void>) => void (write = how),
    runs: () => events.flatMap((event) => (event.type === "run-start" ? [event.run] : [])),
  };
}

/** Callers wait until it is opened, and then fail. */
function gateThatFails(message: string) {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return {
    open: gate.resolve,
    reached: reached.promise,
    async pass(): Promise<never> {
      reached.resolve();
      await gate.promise;
      throw new Error(message);
    },
  };
}

const item = (nth: number) => ({
  message: `m${nth}`,
  run: `r${nth}`,
  text: "Build",
  model: "fake:one",
});

it("a refused message never runs and an accepted one does, even if the run before them ends meanwhile", async () => {
  const { queue, context, events, record, runs, writesEnd } = makeQueue();
  const running = gateThatFails("the run fails");
  context.parts.store.messages.list = running.pass;
  await queue.add(item(1));
  await running.reached;
  const full = gateThatFails("the disk is full");
  writesEnd(full.pass);
  const refused = queue.add(item(2));
  writesEnd(() => Promise.resolve());
  const accepted = queue.add(item(3));
  running.open();
  await expect.poll(() => events.some(({ type }) => type === "run-end")).toBe(true);
  full.open();
  await expect(refused).rejects.toThrow("disk is full");
  await accepted;
  await queue.idle();
  expect(runs()).toEqual(["r1", "r3"]);
  expect(record()).toEqual([]);
});

it("a message whose removal could not be recorded stays queued and runs", async () => {
  const { queue, context, runs, writesEnd } = makeQueue();
  const running = gateThatFails("the run fails");
  context.parts.store.messages.list = running.pass;
  await queue.add(item(1));
  await running.reached;
  await queue.add(item(2));
  writesEnd(() => Promise.reject(new Error("the disk is full")));
  await expect(queue.remove("m2")).rejects.toThrow("disk is full");
  writesEnd(() => Promise.resolve());
  running.open();
  await queue.idle();
  expect(runs()).toEqual(["r1", "r2"]);
});

it("with a disk that is full now and then, each accepted message runs once and nothing else does", async () => {
  const acts = fc.array(fc.constantFrom("add", "add", "stop", "remove", "full", "room", "rest"), {
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(acts, fc.scheduler(), async (list, s) => {
      const { queue, runs, record, writesEnd } = makeQueue();
      const fate = new Map<string, "accepted" | "refused" | "removed">();
      const asked: Promise<unknown>[] = [];
      let isFull = false;
      writesEnd(async () => {
        const fails = isFull;
        await s.schedule(Promise.resolve(), "write");
        if (fails) throw new Error("full");
      });
      for (const act of list) {
        const nth = fate.size + 1;
        if (act === "add") {
          fate.set(`r${nth}`, "refused");
          const accept = () => fate.set(`r${nth}`, "accepted");
          asked.push(queue.add(item(nth)).then(accept, () => undefined));
        } else if (act === "remove") {
          const removal = queue.remove(`m${nth - 1}`);
          const forget = (done: boolean) => done && fate.set(`r${nth - 1}`, "removed");
          asked.push(removal.then(forget, () => undefined));
        } else if (act === "stop") asked.push(queue.stopCurrent());
        else if (act === "rest") await s.waitIdle();
        else isFull = act === "full";
        await new Promise((resolve) => setImmediate(resolve));
      }
      isFull = false;
      await s.waitFor(Promise.all(asked));
      await s.waitFor(queue.idle());
      const accepted = [...fate].flatMap(([run, what]) => (what === "accepted" ? [run] : []));
      expect(runs()).toEqual(accepted);
      await s.waitFor(queue.close());
      expect(record()).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
