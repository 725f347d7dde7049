import type { ReviewState } from "@treadle/protocol";
import { checkInterleavings, type World } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import { reviewTransition, type ReviewEffect, type ReviewEvent } from "./review-lifecycle.ts";

const EVENTS: ReviewEvent[] = ["approve", "refuse", "withdraw", "overtake", "succeed", "fail"];

/** Everybody may do anything at any time, and carrying it out can fail. */
function reviewWorld(): World<ReviewState, ReviewEvent, ReviewEffect> {
  let applied = 0;
  let discarded = 0;
  let approvals = 0;
  const ends: ReviewState[] = ["done", "refused", "withdrawn", "overtaken", "failed"];
  return {
    initial: "requested",
    transition: reviewTransition,
    perform(effect) {
      if (effect === "discard") {
        discarded++;
        return [];
      }
      if (++applied > approvals) throw new Error("carried out without an approval");
      return [() => "succeed", () => "fail"];
    },
    offers: (state) => [
      () => {
        if (state === "requested") approvals++;
        return "approve";
      },
      ...(["refuse", "withdraw", "overtake"] as const).map((event) => () => event),
      // The preparation of what is still to be approved fails.
      () => (state === "requested" ? "fail" : undefined),
    ],
    check(state) {
      if (applied > 1) throw new Error("carried out twice");
      const mustBeDiscarded = ends.includes(state) && state !== "done";
      if (discarded !== (mustBeDiscarded ? 1 : 0))
        throw new Error(`discarded ${discarded} times in ${state}`);
      if (state === "done" && applied !== 1) throw new Error("done without being carried out");
    },
    closing: [() => "withdraw"],
    checkAtEnd(state) {
      if (!ends.includes(state)) throw new Error(`still ${state}`);
    },
    anyEvents: EVENTS,
  };
}

it("holds its invariants in random interleavings", () => {
  checkInterleavings(reviewWorld);
});

it("lets nobody take back what is being carried out", () => {
  for (const event of ["refuse", "withdraw", "overtake", "approve"] as const)
    expect(reviewTransition("approved", event)).toEqual({ state: "approved", effects: [] });
});
