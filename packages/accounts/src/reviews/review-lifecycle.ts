/**
 * The lifecycle of a request that a second person has to approve. Its state is a column of its row, and an event is an
 * update of the row in the state that was read, so that of several events at once, also on several servers, one counts.
 * Invariants, checked by `review-lifecycle.test.ts` and `reviews.test.ts` over random interleavings:
 * - It is carried out at most once, and only after an approval.
 * - What was prepared for it is discarded exactly once, unless it was done.
 * - Nothing changes a request that has come to an end.
 */
import type { ReviewState } from "@treadle/protocol";
import type { Step } from "@treadle/protocol/lifecycle";

export type ReviewEvent =
  | "approve"
  | "refuse"
  /** By the person who asked. */
  | "withdraw"
  /** A newer request is for the same, or nobody waits for it any more. */
  | "overtake"
  /** It was carried out. */
  | "succeed"
  /** It could not be prepared or carried out, or the approval does not hold any more. */
  | "fail";

export type ReviewEffect =
  /** Ends with `succeed` or `fail`. */
  | "apply"
  /** Removes what was prepared. */
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

/** States in which a request has not come to its end. */
export const OPEN_STATES = ["requested", "approved"] as const satisfies ReviewState[];

/** Pure and total: an event that cannot come in a state changes nothing. */
export function reviewTransition(
  current: ReviewState,
  event: ReviewEvent,
): Step<ReviewState, ReviewEffect> {
  const [state, ...effects] = TABLE[current][event] ?? [current];
  return { state, effects };
}
