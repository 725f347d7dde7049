/**
 * The lifecycle of one notification on its way through one channel. It is held back for a moment, because a person who
 * looks at the page needs none; then it is sent, and sent again after a pause if the receiver cannot be reached.
 * Invariants, checked by `delivery-lifecycle.test.ts` over random interleavings:
 * - There is at most one attempt at a time, and none before the moment is over or after the end.
 * - The result is recorded exactly once, unless the notification was dropped.
 * - Every phase but the last three waits for something that is in progress.
 */
import type { Step } from "@treadle/protocol/lifecycle";

export type DeliveryPhase =
  /** A page that is looked at may still make it unnecessary. */
  | "held"
  | "sending"
  /** Until the next attempt. */
  | "pausing"
  | "delivered"
  | "failed"
  | "dropped";

export type DeliveryEvent =
  /** The time of `held` or `pausing` is over. */
  | "due"
  /** The person has seen the news in the page. */
  | "seen"
  | "accepted"
  /** The attempt failed, but a later one may succeed. */
  | "unreachable"
  /** The attempt failed, and so would each other, or there are no attempts left. */
  | "refused"
  /** The channel was removed, or the server stops. */
  | "cancel";

export type DeliveryEffect =
  /** Ends with `accepted`, `unreachable` or `refused`. */
  | "send"
  /** Ends with `due`. */
  | "pause"
  /** Records the result of the last attempt. */
  | "record"
  /** Ends whatever is in progress. */
  | "abort";

const TABLE: {
  readonly [Phase in DeliveryPhase]: {
    readonly [Event in DeliveryEvent]?: readonly [DeliveryPhase, ...DeliveryEffect[]];
  };
} = {
  held: {
    due: ["sending", "send"],
    seen: ["dropped", "abort"],
    cancel: ["dropped", "abort"],
  },
  sending: {
    accepted: ["delivered", "record"],
    unreachable: ["pausing", "pause"],
    refused: ["failed", "record"],
    cancel: ["dropped", "abort"],
  },
  pausing: { due: ["sending", "send"], cancel: ["dropped", "abort"] },
  delivered: {},
  failed: {},
  dropped: {},
};

export const isDone = (phase: DeliveryPhase): boolean => Object.keys(TABLE[phase]).length === 0;

/** Pure and total: an event that cannot come in a phase changes nothing. */
export function deliveryTransition(
  phase: DeliveryPhase,
  event: DeliveryEvent,
): Step<DeliveryPhase, DeliveryEffect> {
  const [state, ...effects] = TABLE[phase][event] ?? [phase];
  return { state, effects };
}
