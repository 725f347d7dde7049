import { setImmediate as tick } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { workThrough } from "./work-through.ts";

const tasksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}` }));
const failed = ({ id }: { id: string }) => `${id} failed`;

it("does each task once, with limited concurrency, whichever of them fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ before: fc.boolean(), fails: fc.boolean(), ticks: fc.nat(5) }), {
        maxLength: 12,
      }),
      async (parallel, kinds) => {
        const tasks = tasksOf(kinds.length);
        const results: string[] = [];
        let running = 0;
        let most = 0;
        await workThrough(tasks, {
          parallel,
          finished: new Set(tasks.filter((_, index) => kinds[index]!.before).map(({ id }) => id)),
          async carryOut({ id }) {
            most = Math.max(most, ++running);
            for (let count = 0; count < kinds[Number(id)]!.ticks; count++) await tick();
            running--;
            if (kinds[Number(id)]!.fails) throw new Error("broken");
            return id;
          },
          failed,
          onResult: (result) => void results.push(result),
          signal: new AbortController().signal,
        });
        expect(most).toBeLessThanOrEqual(parallel);
        expect(results.toSorted()).toEqual(
          tasks
            .filter((_, index) => !kinds[index]!.before)
            .map(({ id }) => (kinds[Number(id)]!.fails ? `${id} failed` : id))
            .toSorted(),
        );
      },
    ),
  );
});

it("stores no result of a stopped task, and starts no other", async () => {
  const stopping = new AbortController();
  const results: string[] = [];
  const begun: string[] = [];
  await workThrough(tasksOf(4), {
    parallel: 1,
    finished: new Set(),
    async carryOut({ id }) {
      begun.push(id);
      if (id === "1") {
        stopping.abort();
        throw new Error("stopped");
      }
      return id;
    },
    failed,
    onResult: (result) => void results.push(result),
    signal: stopping.signal,
  });
  expect({ begun, results }).toEqual({ begun: ["0", "1"], results: ["0"] });
});
