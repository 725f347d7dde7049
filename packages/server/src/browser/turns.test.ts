import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

const never = new AbortController().signal;

it("lets only so many through, the others in their order", async () => {
  const turns = createTurns(1);
  const order: string[] = [];
  const first = await turns.take(never);
  const second = turns.take(never).then((done) => (order.push("second"), done));
  const third = turns.take(never).then((done) => (order.push("third"), done));
  expect(order).toEqual([]);
  first();
  first();
  (await second)();
  (await third)();
  expect(order).toEqual(["second", "third"]);
});

it("takes one out of the line when its signal says so", async () => {
  const turns = createTurns(1);
  const first = await turns.take(never);
  const controller = new AbortController();
  const second = turns.take(controller.signal);
  const third = turns.take(never);
  controller.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  first();
  (await third)();
});
