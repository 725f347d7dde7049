import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import type { ProjectContext } from "../project-context/project-context.ts";
import { createRunQueue } from "./run-queue.ts";

/** A project whose runs want a model and find none, unless they are stopped before. */
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

const activity = { tell() {}, run: <Result>(work: () => Promise<Result>) => work() };

it("a stop that comes while a message is still being written down stops its run", async () => {
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

it("a stop that comes between the end of a run and the start of the next stops that one", async () => {
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

it("a stop that comes while a run that has told its end is being put away stops the one behind it", async () => {
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

it("a stop says whether there was a run to be stopped", async () => {
  const { context } = makeContext();
  const queue = createRunQueue(context, activity, () => Promise.resolve());
  expect(await queue.stopCurrent()).toBe(false);
  void queue.add({ message: "m", run: "r", text: "Build", model: "fake:one" });
  expect(await queue.stopCurrent()).toBe(true);
  expect(await queue.stopCurrent()).toBe(false);
});
