/**
 * The life of one attempt: of a comparison, or of a request that runs in parallel to the project's own work. Its copy is
 * made, asked and followed; a parallel request is merged into its project then.
 *
 * Invariants; `attempt-lifecycle.test.ts` checks them over random interleavings, restarts among them:
 * - An attempt has one copy at a time, and its turn is followed once.
 * - Nothing is begun for an attempt that was stopped, until somebody wants it again.
 * - It is merged only after its turn has ended, and not again after that has succeeded.
 * - No state waits for something that is not under way.
 */
import type { ComparedAttempt, ParallelRequest } from "@treadle/protocol";
import type { Step } from "@treadle/protocol/lifecycle";

export type AttemptPhase =
  /** For a free place. */
  | "waiting"
  /** Its copy is being made. */
  | "making"
  /** The same, and it was stopped meanwhile. */
  | "unmaking"
  /** Its message is being sent. */
  | "asking"
  /** The same, and it was stopped meanwhile. */
  | "halting"
  | "going"
  /** Its turn is active, and was asked to stop. */
  | "stopping"
  /** Its turn has ended, and it waits to be compared. */
  | "over"
  /** It waits until the project is at rest, or is being merged. */
  | "merging"
  /** It was not merged by itself: the person decides. */
  | "held"
  | "merged"
  | "stopped"
  | "failed";

export type AttemptEvent =
  /** There is a free place. */
  | "place"
  | "made"
  | "asked"
  | "failed"
  /** The turn of an attempt of a comparison has ended. */
  | "ended"
  /** The turn of a parallel request ended so that it can be merged. */
  | "fits"
  | "held"
  | "merged"
  | "stop"
  /** The person wants it merged. */
  | "take"
  /** The person wants it done anew, from how the project is now. */
  | "redo"
  /** The server was started anew; nothing of before is under way. */
  | "restart";

export type AttemptEffect =
  /** Ends with `made` or `failed`. */
  | "make"
  /** Ends with `asked` or `failed`. */
  | "ask"
  /** Ends with `ended`, `fits`, `held` or `failed`. */
  | "follow"
  /** Continues a turn that a restart interrupted, and follows it. */
  | "resume"
  /** Stops the turn, which then ends as any other. */
  | "halt"
  /** Ends with `merged` or `held`. */
  | "merge"
  /** Ends the merge early, where that is still possible. */
  | "cease"
  /** Removes the copy. */
  | "remove"
  /** Removes all that is left of the attempt. */
  | "clear";

/** How a turn ends. */
const TURN_ENDS = {
  ended: ["over"],
  fits: ["merging", "merge"],
  held: ["held"],
  failed: ["failed"],
} as const;

const TABLE: {
  readonly [Phase in AttemptPhase]: {
    readonly [Event in AttemptEvent]?: readonly [AttemptPhase, ...AttemptEffect[]];
  };
} = {
  waiting: { place: ["making", "make"], stop: ["stopped"] },
  making: {
    made: ["asking", "ask"],
    failed: ["failed"],
    stop: ["unmaking"],
    restart: ["waiting", "remove"],
  },
  unmaking: { made: ["stopped"], failed: ["stopped"], restart: ["stopped", "remove"] },
  asking: {
    asked: ["going", "follow"],
    failed: ["failed"],
    stop: ["halting"],
    restart: ["waiting", "remove"],
  },
  halting: {
    asked: ["stopping", "follow", "halt"],
    failed: ["stopped"],
    restart: ["stopped", "remove"],
  },
  going: {
    stop: ["stopping", "halt"],
    ...TURN_ENDS,
    restart: ["going", "resume"],
  },
  stopping: { stop: ["stopping", "halt"], ...TURN_ENDS, restart: ["stopping", "follow"] },
  over: { failed: ["failed"] },
  merging: {
    stop: ["merging", "cease"],
    merged: ["merged", "clear"],
    held: ["held"],
    restart: ["merging", "merge"],
  },
  held: { take: ["merging", "merge"], redo: ["waiting", "remove"] },
  merged: { restart: ["merged", "clear"] },
  stopped: { redo: ["waiting", "remove"] },
  failed: { redo: ["waiting", "remove"] },
};

/** Pure and total: an event that is not in the table changes nothing. */
export function attemptTransition(
  phase: AttemptPhase,
  event: AttemptEvent,
): Step<AttemptPhase, AttemptEffect> {
  const [next = phase, ...effects] = TABLE[phase][event] ?? [];
  return { state: next, effects };
}

/** The phase as people see it. */
export function shownState(
  phase: AttemptPhase,
): ComparedAttempt["state"] | ParallelRequest["state"] {
  if (phase === "unmaking" || phase === "asking" || phase === "halting") return "making";
  return phase === "stopping" ? "going" : phase;
}

const PLACED: ReadonlySet<AttemptPhase> = new Set([
  "making",
  "unmaking",
  "asking",
  "halting",
  "going",
  "stopping",
]);

/** Whether it takes one of the places of those that are worked on. */
export const hasPlace = (phase: AttemptPhase): boolean => PLACED.has(phase);
