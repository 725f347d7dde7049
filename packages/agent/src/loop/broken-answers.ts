import type { Transition } from "@treadle/protocol/lifecycle";

/**
 * The states of answers whose stream broke off after it had begun: complete parts are kept, and the model is asked to continue.
 *
 * | in      | event               | becomes                | effect  |
 * | ------- | ------------------- | ---------------------- | ------- |
 * | going   | answered            | going, none in a row   |         |
 * | going   | broke, may go on    | waiting, one more      | wait    |
 * | going   | broke, may not      | over                   | give-up |
 * | waiting | waited              | going                  | ask     |
 * | any     | stopped             | over                   |         |
 *
 * Everything else changes nothing.
 */
export type BrokenState =
  | { readonly phase: "going"; readonly inARow: number }
  | { readonly phase: "waiting"; readonly inARow: number }
  | { readonly phase: "over" };

export type BrokenEvent =
  | { readonly type: "answered" }
  /** @param waitMs undefined if asking again cannot help */
  | { readonly type: "broke"; readonly waitMs: number | undefined }
  | { readonly type: "waited" }
  | { readonly type: "stopped" };

export type BrokenEffect =
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "ask" }
  | { readonly type: "give-up" };

/** Maximum number of consecutive broken answers that are continued. */
export const GO_ONS = 2;

export const UNBROKEN: BrokenState = { phase: "going", inARow: 0 };

export const brokenTransition: Transition<BrokenState, BrokenEvent, BrokenEffect> = (
  state,
  event,
) => {
  const same = { state, effects: [] };
  if (event.type === "stopped") return { state: { phase: "over" }, effects: [] };
  if (state.phase === "over") return same;
  const { phase, inARow } = state;
  switch (event.type) {
    case "answered":
      return phase === "going" ? { state: UNBROKEN, effects: [] } : same;
    case "broke":
      if (phase !== "going") return same;
      if (event.waitMs === undefined || inARow >= GO_ONS)
        return { state: { phase: "over" }, effects: [{ type: "give-up" }] };
      return {
        state: { phase: "waiting", inARow: inARow + 1 },
        effects: [{ type: "wait", ms: event.waitMs }],
      };
    case "waited":
      return phase === "waiting"
        ? { state: { phase: "going", inARow }, effects: [{ type: "ask" }] }
        : same;
  }
};
