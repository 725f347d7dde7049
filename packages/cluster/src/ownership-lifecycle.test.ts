import { checkInterleavings } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import { FREE, ownershipTransition, type OwnershipEvent } from "./ownership-lifecycle.ts";
import { ownershipWorld } from "./ownership-lifecycle.test-support.ts";

it("holds its invariants in random interleavings", () => {
  checkInterleavings(ownershipWorld);
});

const after = (...events: OwnershipEvent["type"][]) =>
  events.reduce(
    (state, type, caller) => ownershipTransition(state, { type, caller } as OwnershipEvent).state,
    FREE,
  );

it("closes what runs when the lease is lost, and acquires it again only then", () => {
  const lost = after("want", "granted", "recovered", "lost", "want");
  expect(lost).toMatchObject({ phase: "dropping", waiting: [4] });
  expect(ownershipTransition(lost, { type: "closed" }).effects).toEqual([
    { type: "forget" },
    { type: "acquire" },
  ]);
});

it("does not release what another server has taken while it was being closed", () => {
  expect(after("want", "granted", "recovered", "release", "lost", "closed").phase).toBe("free");
});
