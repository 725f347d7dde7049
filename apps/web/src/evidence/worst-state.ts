import type { Evidence } from "@treadle/protocol";
import { checksState, type CheckState } from "./check-state.ts";

/** The states in order of importance. */
const ORDER: readonly CheckState[] = ["failed", "going", "untried", "uncounted", "held"];

function statesOf({ parts, checks }: Evidence): CheckState[] {
  const states: CheckState[] = Object.values(parts).map(({ state }) => state);
  return checks ? [...states, checksState(checks)] : states;
}

/**
 * The most important state of a revision's parts and checks: failed, then in progress, then not tried, then without worth for
 * the verdict, then held.
 * Undefined if none of them was tried or is being tried.
 */
export function worstState(evidence: Evidence): CheckState | undefined {
  const all = statesOf(evidence);
  if (all.every((state) => state === "untried" || state === "inapplicable")) return undefined;
  return ORDER.find((state) => all.includes(state));
}
