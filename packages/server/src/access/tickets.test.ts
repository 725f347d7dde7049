import { expect, it } from "vitest";
import { createTickets } from "./tickets.ts";

it("a ticket is valid once, for a minute", () => {
  let now = 0;
  const { give, take } = createTickets(() => now);
  const [one, other] = [give("ada"), give()];
  expect([take("none"), take(one), take(one)]).toEqual([undefined, "ada", undefined]);
  now = 60_001;
  expect(take(other)).toBeUndefined();
});
