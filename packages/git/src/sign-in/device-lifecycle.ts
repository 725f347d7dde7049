/**
 * A sign-in by the device flow (RFC 8628) as a state machine: a code is requested, the person enters it on the server's page,
 * and Treadle asks for the token until the person has decided.
 *
 * Invariants; `device-lifecycle.test.ts` checks them over random interleavings:
 * - The token is requested once at a time, and never sooner than the server allows.
 * - A token is stored exactly once, and never after the sign-in was cancelled or has failed.
 * - Every state that is not an end is left without anybody asking again.
 */
import type { Step } from "@treadle/protocol/lifecycle";

/** The server's answer to a request for a code: the code that the person enters, and where. */
export interface DeviceGrant {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  /** Milliseconds since 1970 at which the code expires. */
  until: number;
}

/** A token as the server issued it. */
export interface IssuedToken {
  token: string;
  /** Milliseconds since 1970 at which it expires; undefined: it does not. */
  until?: number | undefined;
  /** Renews it; undefined: it cannot be renewed. */
  refreshToken?: string | undefined;
}

/** Why a sign-in ended without a token. For `failed`, the state contains the error. */
export type SignInProblem = "denied" | "expired" | "failed";

export type DeviceState =
  | { readonly phase: "requesting" }
  /** Waits until the server may be asked again. */
  | { readonly phase: "waiting"; readonly grant: DeviceGrant; readonly intervalMs: number }
  | { readonly phase: "polling"; readonly grant: DeviceGrant; readonly intervalMs: number }
  | { readonly phase: "storing" }
  | { readonly phase: "signed-in" }
  | { readonly phase: "cancelled" }
  | { readonly phase: "ended"; readonly problem: SignInProblem; readonly error?: unknown };

export type DeviceEvent =
  | { readonly type: "granted"; readonly grant: DeviceGrant; readonly intervalMs: number }
  /** The interval is over. `now` in milliseconds since 1970. */
  | { readonly type: "due"; readonly now: number }
  | { readonly type: "pending" | "slow-down" | "unreachable" | "denied" | "expired" | "stored" }
  | { readonly type: "issued"; readonly token: IssuedToken }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "cancel" };

export type DeviceEffect =
  /** Results in `granted` or `failed`. */
  | { readonly type: "request" }
  /** Results in `due`. */
  | { readonly type: "wait"; readonly ms: number }
  /**
   * Results in `pending`, `slow-down`, `unreachable`, `denied`, `expired`, `issued` or `failed`.
   */
  | { readonly type: "poll"; readonly grant: DeviceGrant }
  /** Results in `stored` or `failed`. */
  | { readonly type: "store"; readonly token: IssuedToken };

/** RFC 8628, section 3.5: `slow_down` adds 5 seconds; a connection that fails is tried again later and later. */
const SLOW_DOWN_MS = 5_000;
const LONGEST_INTERVAL_MS = 60_000;

/** The first step of a sign-in. */
export const FIRST_STEP: Step<DeviceState, DeviceEffect> = {
  state: { phase: "requesting" },
  effects: [{ type: "request" }],
};

type Answer = (state: DeviceState, event: never) => Step<DeviceState, DeviceEffect>;

const end = (state: DeviceState): Step<DeviceState, DeviceEffect> => ({ state, effects: [] });
const fail = (problem: SignInProblem, error?: unknown) => end({ phase: "ended", problem, error });

function waitAgain(grant: DeviceGrant, intervalMs: number): Step<DeviceState, DeviceEffect> {
  return {
    state: { phase: "waiting", grant, intervalMs },
    effects: [{ type: "wait", ms: intervalMs }],
  };
}

type Polling = Extract<DeviceState, { phase: "polling" }>;
const cancel: Answer = () => end({ phase: "cancelled" });
const failed = (_: DeviceState, { error }: Extract<DeviceEvent, { type: "failed" }>) =>
  fail("failed", error);

/** For each phase, how the events are handled that change something; every other event changes nothing. */
const TABLE: Record<DeviceState["phase"], Partial<Record<DeviceEvent["type"], Answer>>> = {
  requesting: {
    granted: (_, { grant, intervalMs }: Extract<DeviceEvent, { type: "granted" }>) =>
      waitAgain(grant, intervalMs),
    failed,
    cancel,
  },
  waiting: {
    due: (state, { now }: Extract<DeviceEvent, { type: "due" }>) => {
      const { grant, intervalMs } = state as Extract<DeviceState, { phase: "waiting" }>;
      if (now >= grant.until) return fail("expired");
      return { state: { phase: "polling", grant, intervalMs }, effects: [{ type: "poll", grant }] };
    },
    cancel,
  },
  polling: {
    pending: (state) => waitAgain((state as Polling).grant, (state as Polling).intervalMs),
    "slow-down": (state) =>
      waitAgain((state as Polling).grant, (state as Polling).intervalMs + SLOW_DOWN_MS),
    unreachable: (state) =>
      waitAgain(
        (state as Polling).grant,
        Math.min((state as Polling).intervalMs * 2, LONGEST_INTERVAL_MS),
      ),
    denied: () => fail("denied"),
    expired: () => fail("expired"),
    issued: (_, { token }: Extract<DeviceEvent, { type: "issued" }>) => ({
      state: { phase: "storing" },
      effects: [{ type: "store", token }],
    }),
    failed,
    cancel,
  },
  // The person has agreed, and the token is being written: too late to cancel.
  storing: { stored: () => end({ phase: "signed-in" }), failed },
  "signed-in": {},
  cancelled: {},
  ended: {},
};

/** Pure and total: an event that is impossible in a state changes nothing. */
export function deviceTransition(
  state: DeviceState,
  event: DeviceEvent,
): Step<DeviceState, DeviceEffect> {
  const answer = TABLE[state.phase][event.type];
  return answer ? answer(state, event as never) : { state, effects: [] };
}
