/**
 * The lifecycle of one attempt: of a comparison, or of a request in parallel to the project's own
 * work. A copy is made, gets the message and is observed; a parallel request is then merged into
 * its project.
 * Invariants, checked by `attempt-lifecycle.test.ts` over random interleavings including restarts:
 * - An attempt has one copy at a time, and its turn is observed once.
 * - Nothing is started for a stopped attempt until the person requests it again.
 * - It is merged only after its turn has ended, and not again after a success.
 * - No state waits for something that is not in progress.
 */
import type { ComparedAttempt, ParallelRequest } from "@treadle/protocol";
import type { Step } from "@treadle/protocol/lifecycle";

export type AttemptPhase =
  /** Waits for a free place. */
  | "waiting"
  /** The attempt's copy is being made. */
  | "making"
  /** The attempt's copy is being made, but the attempt was stopped meanwhile. */
  | "unmaking"
  /** The attempt's message is being sent. */
  | "asking"
  /** The attempt's message is being sent, but the attempt was stopped meanwhile. */
  | "halting"
  | "going"
  /** The attempt's turn is active, and was asked to stop. */
  | "stopping"
  /** The attempt's turn has ended, and it can be compared. */
  | "over"
  /** The attempt waits until the project is idle, or is being merged. */
  | "merging"
  /** The attempt was not merged automatically; the person decides. */
  | "held"
  | "merged"
  | "stopped"
  | "failed";

export type AttemptEvent =
  /** A place has become free. */
  | "place"
  | "made"
  | "asked"
  | "failed"
  /** The turn of a comparison's attempt has ended. */
  | "ended"
  /** The turn of a parallel request ended with a mergeable result. */
  | "fits"
  | "held"
  | "merged"
  | "stop"
  /** The person requests the merge. */
  | "take"
  /** The person requests another try, based on the current project. */
  | "redo"
  /** The server restarted; nothing from before is running. */
  | "restart";

export type AttemptEffect =
  /** Makes the copy. Results in `made` or `failed`. */
  | "make"
  /** Sends the message. Results in `asked` or `failed`. */
  | "ask"
  /** Waits for the end of the turn. Results in `ended`, `fits`, `held` or `failed`. */
  | "follow"
  /** Continues a turn that a restart interrupted, and follows it. */
  | "resume"
  /** Stops the turn, which then ends as any other. */
  | "halt"
  /** Merges the attempt into the project. Results in `merged` or `held`. */
  | "merge"
  /** Cancels the merge, if still possible. */
  | "cease"
  /** Removes the copy. */
  | "remove"
  /** Removes everything left of the attempt. */
  | "clear";

/** Transitions at the end of a turn. */
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

/**
 * The next phase after an event, and what has to be done. Pure and total: an event that does not apply changes
 * nothing.
 */
export function attemptTransition(
  phase: AttemptPhase,
  event: AttemptEvent,
): Step<AttemptPhase, AttemptEffect> {
  const [next = phase, ...effects] = TABLE[phase][event] ?? [];
  return { state: next, effects };
}

/** The phase as clients see it. */
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

/** Whether an attempt in a phase occupies one of the limited places. */
export const hasPlace = (phase: AttemptPhase): boolean => PLACED.has(phase);
