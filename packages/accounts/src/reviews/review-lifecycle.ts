/**
 * The lifecycle of a request that a second person has to approve. Its state is a column of its row, and an event
 * updates the row if it is still in the state that was read. So one of several events at once counts, also on
 * several servers.
 * Invariants, checked by `review-lifecycle.test.ts` and `reviews.test.ts` over random interleavings:
 * - A request is carried out at most once, and only after an approval.
 * - What was prepared for it is discarded exactly once, unless it was carried out.
 * - Nothing changes a request that has ended.
 */
import type { ReviewState } from "@treadle/protocol";
import type { Step } from "@treadle/protocol/lifecycle";

export type ReviewEvent =
  | "approve"
  | "refuse"
  /** The person who asked withdraws the request. */
  | "withdraw"
  /** A newer request asks for the same, or nobody waits for this one any more. */
  | "overtake"
  /** The request was carried out. */
  | "succeed"
  /** The request could not be prepared or carried out, or the approval does not hold any more. */
  | "fail";

export type ReviewEffect =
  /** Carries the request out. Results in `succeed` or `fail`. */
  | "apply"
  /** Removes what was prepared for the request. */
  | "discard";

const TABLE: {
  readonly [State in ReviewState]: {
    readonly [Event in ReviewEvent]?: readonly [ReviewState, ...ReviewEffect[]];
  };
} = {
  requested: {
    approve: ["approved", "apply"],
    refuse: ["refused", "discard"],
    withdraw: ["withdrawn", "discard"],
    overtake: ["overtaken", "discard"],
    fail: ["failed", "discard"],
  },
  approved: { succeed: ["done"], fail: ["failed", "discard"] },
  done: {},
  refused: {},
  withdrawn: {},
  overtaken: {},
  failed: {},
};

/** States in which a request has not ended. */
export const OPEN_STATES = ["requested", "approved"] as const satisfies ReviewState[];

/**
 * The next state after an event, and what has to be done. Pure and total: an event that is impossible in a state
 * changes nothing.
 */
export function reviewTransition(
  current: ReviewState,
  event: ReviewEvent,
): Step<ReviewState, ReviewEffect> {
  const [state, ...effects] = TABLE[current][event] ?? [current];
  return { state, effects };
}
