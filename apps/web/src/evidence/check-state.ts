import type { CheckReport, PartState } from "@treadle/protocol";

/**
 * The state of a check as its bead shows it. `uncounted`: it ran, and its result does not decide the verdict, because it
 * proves nothing or somebody changed it.
 */
export type CheckState = PartState | "uncounted";

/** The state of one check. */
export function checkState(check: CheckReport): CheckState {
  if (check.state === "failed") return check.was ? "uncounted" : "failed";
  return check.state === "held" && check.provesNothing ? "uncounted" : check.state;
}

/**
 * The combined state of all checks: failed if one is, else in progress, else untried. A changed check that fails makes the
 * verdict open; those that prove nothing leave the others their worth.
 */
export function checksState(checks: readonly CheckReport[]): CheckState {
  const states = checks.map(checkState);
  for (const state of ["failed", "going", "untried"] as const)
    if (states.includes(state)) return state;
  if (checks.some(({ state }) => state === "failed")) return "uncounted";
  return states.length === 0 || states.includes("held") ? "held" : "uncounted";
}
