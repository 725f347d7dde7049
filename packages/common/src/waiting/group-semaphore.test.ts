import { expect, it } from "vitest";
import { createGroupSemaphore } from "./group-semaphore.ts";

/** Takes places, and remembers in which order they were had. */
function createTakers(places: number) {
  const semaphore = createGroupSemaphore(places);
  const had: string[] = [];
  const take = (name: string, group: string, signal?: AbortSignal) =>
    semaphore.take(group, signal).then((giveBack) => (had.push(name), giveBack));
  return { had, take, turn: () => new Promise((resolve) => setImmediate(resolve)) };
}

it("lets so many of one group through at once", async () => {
  const { had, take, turn } = createTakers(2);
  const first = await take("a1", "a");
  await take("a2", "a");
  void take("a3", "a");
  await turn();
  expect(had).toEqual(["a1", "a2"]);
  first();
  first();
  await turn();
  expect(had).toEqual(["a1", "a2", "a3"]);
});

it("lets no second group through while the first holds a place, nor the first one past who waits", async () => {
  const { had, take, turn } = createTakers(2);
  const first = await take("a1", "a");
  const second = take("b1", "b");
  void take("a2", "a");
  await turn();
  expect(had).toEqual(["a1"]);
  first();
  await turn();
  expect(had).toEqual(["a1", "b1"]);
  (await second)();
  await turn();
  expect(had).toEqual(["a1", "b1", "a2"]);
});

it("takes one out of the line when its signal says so, and lets through who waited behind it", async () => {
  const { had, take, turn } = createTakers(2);
  await take("a1", "a");
  const controller = new AbortController();
  const leaving = take("b1", "b", controller.signal);
  void take("a2", "a");
  controller.abort(new Error("enough"));
  await expect(leaving).rejects.toThrow("enough");
  await turn();
  expect(had).toEqual(["a1", "a2"]);
});
