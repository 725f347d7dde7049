import type { Step } from "@treadle/protocol/lifecycle";

/**
 * State machine of a guest's end on this machine. In a sandbox the kernel ends everything together with the sandbox's
 * first process. Without one the guest is asked to end what it started, and what it could not end is ended after it.
 * Invariants; `guest-end-lifecycle.test.ts` checks them over random interleavings:
 * - Processes are looked for only after the guest has exited, because until then it may start new ones.
 * - A guest that was asked to leave is killed if it takes too long, so every end that began is reached.
 * - It is released exactly once, when nothing that it started is left.
 */
export type GuestEndPhase = "running" | "leaving" | "killed" | "sweeping" | "gone";

/** `exited`: its process has ended, for whatever reason. `overdue`: it was asked to leave and took too long. */
export type GuestEndEvent = "leave" | "kill" | "overdue" | "exited" | "swept";

/**
 * `ask-to-leave` results in `exited` or `overdue`, `kill` in `exited`, `sweep` (ending what the guest left) in `swept`.
 */
export type GuestEndEffect = "ask-to-leave" | "kill" | "sweep" | "release";

const TABLE: Record<
  GuestEndPhase,
  Partial<Record<GuestEndEvent, readonly [GuestEndPhase, GuestEndEffect]>>
> = {
  running: {
    leave: ["leaving", "ask-to-leave"],
    kill: ["killed", "kill"],
    exited: ["sweeping", "sweep"],
  },
  leaving: {
    kill: ["killed", "kill"],
    overdue: ["killed", "kill"],
    exited: ["sweeping", "sweep"],
  },
  killed: { exited: ["sweeping", "sweep"] },
  sweeping: { swept: ["gone", "release"] },
  gone: {},
};

/** Pure and total: an event that is impossible in a phase changes nothing. */
export function guestEndTransition(
  phase: GuestEndPhase,
  event: GuestEndEvent,
): Step<GuestEndPhase, GuestEndEffect> {
  const row = TABLE[phase][event];
  return row ? { state: row[0], effects: [row[1]] } : { state: phase, effects: [] };
}
