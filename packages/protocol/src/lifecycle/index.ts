/** Lifecycles as state machines: `transition` is pure, effects are performed outside of it. */
export { createLifecycle } from "./lifecycle.ts";
export { createHolderCallers } from "./holder-callers.ts";
export { EMPTY_HOLDER, holderTransition, isOpenOrOpening } from "./holder-lifecycle.ts";
export type { Caller, HolderEffect, HolderEvent, HolderState } from "./holder-lifecycle.ts";
export { onceDone } from "./once-done.ts";
export type { Lifecycle, Step, Transition } from "./lifecycle.ts";
