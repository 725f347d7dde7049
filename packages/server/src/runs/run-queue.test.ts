import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import type { ProjectContext } from "../project-context/project-context.ts";
import { createRunQueue } from "./run-queue.ts";

it("a stop that comes while a message is still being written down stops its run", async () => {
  const events: LogEvent[] = [];
  const written = Promise.withResolvers<void>();
  const context = {
    id: "p",
    view: {},
    trust: { watchCommands: () => ({ see() {}, close() {} }) },
    append: (event: LogEvent) => events.push(event),
    parts: {
      clock: { now: () => 0 },
      store: {
        projects: { update: async () => {} },
        log: { settled: () => written.promise },
        messages: { list: async () => [], put: async () => {} },
      },
      models: {
        resolve: () => Promise.reject(new Error("It was not stopped, but wanted a model.")),
      },
      onNotice() {},
    },
  } as unknown as ProjectContext;
  const queue = createRunQueue(context, { tell() {}, run: (work) => work() }, () =>
    Promise.resolve(),
  );
  const added = queue.add({ message: "m", run: "r", text: "Build", model: "fake:one" });
  await expect.poll(() => events.length).toBe(1);
  await queue.stopCurrent();
  written.resolve();
  await added;
  await queue.idle();
  expect(events.at(-1)).toMatchObject({ type: "run-end", outcome: "stopped" });
});
