/**
 * The lifecycle of one project on one server of several. Invariants, checked by `ownership-lifecycle.test.ts` over random
 * interleavings:
 * - Nobody is admitted to the project before its lease was taken and what the former owner left has been ended.
 * - After a lost lease nothing is released, and what runs is closed before the project is acquired again.
 * - A lease that was taken is released or lost, once.
 * - Every caller is answered exactly once.
 * - Every phase but `free` and `owned` waits for something that is in progress.
 */
import type { Step } from "@treadle/protocol/lifecycle";

export type OwnershipPhase =
  /** This server does not own it. */
  | "free"
  | "acquiring"
  /** What the former owner left is being ended. */
  | "recovering"
  /** The lease was lost meanwhile. */
  | "forfeiting"
  | "owned"
  /** What runs is being closed; then the lease is released. */
  | "closing"
  /** What runs is being closed; the lease is another server's. */
  | "dropping"
  | "releasing";

export type OwnershipEvent =
  /** A caller needs the project here. */
  | { type: "want"; caller: number }
  | { type: "granted" }
  /** Another server owns it. */
  | { type: "denied" }
  | { type: "failed" }
  | { type: "recovered" }
  | { type: "recovery-failed" }
  /** The lease turned out to be another server's. */
  | { type: "lost" }
  | { type: "release" }
  | { type: "closed" }
  | { type: "released" };

/** What is done without callers. */
type Work =
  /** Ends with `granted`, `denied` or `failed`. */
  | "acquire"
  /** Ends with `recovered` or `recovery-failed`. */
  | "recover"
  /** Ends with `closed`. */
  | "close"
  /** Ends with `released`. */
  | "unlock"
  /** Nothing writes in the lost epoch any more. */
  | "forget";

/** How all waiting callers are answered: they may use the project, another server owns it, or it failed. */
type Answer = "admit" | "turn-away" | "fail";

export type OwnershipEffect = { type: Work } | { type: Answer; callers: readonly number[] };

export interface OwnershipState {
  readonly phase: OwnershipPhase;
  /** Callers that wait until this server owns the project. */
  readonly waiting: readonly number[];
}

export const FREE: OwnershipState = { phase: "free", waiting: [] };

type Row = readonly [OwnershipPhase, ...(Work | Answer)[]];

/** `free` is followed by `acquiring` at once if somebody waits. A phase without a row for an event stays as it is. */
const TABLE: {
  readonly [Phase in OwnershipPhase]: { readonly [Type in OwnershipEvent["type"]]?: Row };
} = {
  free: { want: ["acquiring", "acquire"] },
  acquiring: {
    granted: ["recovering", "recover"],
    denied: ["free", "turn-away"],
    failed: ["free", "fail"],
  },
  recovering: {
    recovered: ["owned", "admit"],
    "recovery-failed": ["releasing", "fail", "unlock"],
    lost: ["forfeiting"],
  },
  forfeiting: {
    recovered: ["free", "forget", "turn-away"],
    "recovery-failed": ["free", "forget", "turn-away"],
  },
  owned: {
    want: ["owned", "admit"],
    lost: ["dropping", "close"],
    release: ["closing", "close"],
  },
  closing: { closed: ["releasing", "unlock"], lost: ["dropping"] },
  dropping: { closed: ["free", "forget"] },
  releasing: { released: ["free"] },
};

const isAnswer = (name: Work | Answer): name is Answer =>
  name === "admit" || name === "turn-away" || name === "fail";

/** Pure and total: an event that cannot come in a phase changes nothing. */
export function ownershipTransition(
  before: OwnershipState,
  event: OwnershipEvent,
): Step<OwnershipState, OwnershipEffect> {
  let waiting = event.type === "want" ? [...before.waiting, event.caller] : before.waiting;
  const effects: OwnershipEffect[] = [];
  const [phase, ...names] = TABLE[before.phase][event.type] ?? [before.phase];
  for (const name of names) {
    if (!isAnswer(name)) effects.push({ type: name });
    else if (waiting.length > 0) {
      effects.push({ type: name, callers: waiting });
      waiting = [];
    }
  }
  if (phase !== "free" || waiting.length === 0) return { state: { phase, waiting }, effects };
  return { state: { phase: "acquiring", waiting }, effects: [...effects, { type: "acquire" }] };
}
