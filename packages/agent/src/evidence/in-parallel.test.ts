import { expect, it } from "vitest";
import { drain } from "./in-parallel.ts";

it("limits concurrency, and includes items added meanwhile", async () => {
  let going = 0;
  let most = 0;
  const done: number[] = [];
  const act = (name: number) => async () => {
    most = Math.max(most, ++going);
    await new Promise((resolve) => setImmediate(resolve));
    if (name === 0) line.push(act(9));
    going--;
    done.push(name);
  };
  const line = [act(0), act(1), act(2)];
  await drain(line, 2);
  expect(done.toSorted()).toEqual([0, 1, 2, 9]);
  expect(most).toBe(2);
});

it("starts nothing else after a failure, and rejects when all running items have settled", async () => {
  const ended: string[] = [];
  const slow = Promise.withResolvers<void>();
  const draining = drain(
    [
      async () => {
        throw new Error("broken");
      },
      () => slow.promise.then(() => void ended.push("slow")),
      async () => void ended.push("never"),
    ],
    2,
  );
  draining.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  slow.resolve();
  await expect(draining).rejects.toThrow("broken");
  expect(ended).toEqual(["slow"]);
});

it("resolves at once if the queue is empty", async () => {
  await expect(drain([], 2)).resolves.toBeUndefined();
});
