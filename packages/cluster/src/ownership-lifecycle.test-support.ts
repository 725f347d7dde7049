import type { World } from "@treadle/protocol/testing";
import {
  FREE,
  ownershipTransition,
  type OwnershipEffect,
  type OwnershipEvent,
  type OwnershipState,
} from "./ownership-lifecycle.ts";

/** A model of the database and of what runs on this server, which checks the invariants of the lifecycle. */
export function ownershipWorld(): World<OwnershipState, OwnershipEvent, OwnershipEffect> {
  /** Whether the database has this server as the owner. */
  let isOwner = false;
  let isTaken = false;
  let isRecovered = false;
  let isRunning = false;
  let going = 0;
  let callers = 0;
  const open = new Set<number>();
  const fail = (why: string): never => {
    throw new Error(why);
  };
  const begin = (...ends: (() => OwnershipEvent)[]) => {
    if (going++ > 0) fail("two pieces of work at once");
    return ends.map((end) => () => {
      going--;
      return end();
    });
  };
  const answer = (numbers: readonly number[]) => {
    for (const one of numbers) if (!open.delete(one)) fail(`caller ${one} was answered twice`);
  };
  return {
    initial: FREE,
    transition: ownershipTransition,
    perform(effect) {
      switch (effect.type) {
        case "acquire":
          if (isTaken || isRunning) fail("acquired before the last lease was dealt with");
          return begin(
            () => {
              isOwner = isTaken = true;
              isRecovered = false;
              return { type: "granted" };
            },
            () => ({ type: "denied" }),
            () => ({ type: "failed" }),
          );
        case "recover":
          return begin(
            () => {
              isRecovered = true;
              return { type: "recovered" };
            },
            () => ({ type: "recovery-failed" }),
          );
        case "close":
          return begin(() => {
            isRunning = false;
            return { type: "closed" };
          });
        case "unlock":
          if (!isTaken) fail("released twice");
          if (isRunning) fail("released while it runs");
          return begin(() => {
            isOwner = isTaken = false;
            return { type: "released" };
          });
        case "forget":
          if (!isTaken || isOwner) fail("forgot a lease that was not lost");
          if (isRunning) fail("forgot a lease whose work goes on");
          isTaken = false;
          return [];
        case "admit":
          if (!isTaken || !isRecovered) fail("admitted before it was owned and recovered");
          isRunning = true;
          answer(effect.callers);
          return [];
        case "turn-away":
        case "fail":
          answer(effect.callers);
          return [];
      }
    },
    offers(state) {
      const lose = (): OwnershipEvent => {
        isOwner = false;
        return { type: "lost" };
      };
      return [
        () => {
          open.add(++callers);
          return { type: "want", caller: callers };
        },
        () => ({ type: "release" }),
        ...(isOwner && state.phase !== "releasing" ? [lose] : []),
      ];
    },
    check({ phase, waiting }) {
      if (["free", "owned"].includes(phase) !== (going === 0)) fail(`${going} going in ${phase}`);
      if (waiting.length !== open.size) fail("a caller is forgotten");
      if (phase === "owned" && waiting.length > 0) fail("a caller waits for what is there");
    },
    closing: [() => ({ type: "release" })],
    checkAtEnd({ phase }) {
      if (phase !== "free" || isTaken || open.size > 0) fail("something is left");
    },
    anyEvents: [{ type: "closed" }, { type: "released" }, { type: "recovered" }, { type: "lost" }],
  };
}
