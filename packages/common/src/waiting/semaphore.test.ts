import { expect, it } from "vitest";
import { createSemaphore } from "./semaphore.ts";

const never = new AbortController().signal;

it("admits a limited number, others in order of arrival", async () => {
  const places = createSemaphore(1);
  const order: string[] = [];
  const first = await places.take(never);
  const second = places.take(never).then((done) => (order.push("second"), done));
  const third = places.take(never).then((done) => (order.push("third"), done));
  expect(order).toEqual([]);
  first();
  first();
  (await second)();
  (await third)();
  expect(order).toEqual(["second", "third"]);
});

it("removes a waiting caller when its signal is aborted", async () => {
  const places = createSemaphore(1);
  const first = await places.take(never);
  const controller = new AbortController();
  const second = places.take(controller.signal);
  const third = places.take(never);
  controller.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  first();
  (await third)();
});
