import { expect, it } from "vitest";
import { createGroupSemaphore } from "./group-semaphore.ts";

/** Takes places, and records the order in which they were granted. */
function createTakers(places: number) {
  const semaphore = createGroupSemaphore(places);
  const had: string[] = [];
  const take = (name: string, group: string, signal?: AbortSignal) =>
    semaphore.take(group, signal).then((giveBack) => (had.push(name), giveBack));
  return { had, take, turn: () => new Promise((resolve) => setImmediate(resolve)) };
}

it("admits a number of holders of one group at once", async () => {
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

it("admits no second group while the first holds a place, nor further holders of the first before waiting ones", async () => {
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

it("removes a waiting caller when its signal is aborted, and admits those behind it", async () => {
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
