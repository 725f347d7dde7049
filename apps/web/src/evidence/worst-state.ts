import type { Evidence, PartState } from "@treadle/protocol";
import { checksState } from "./checks-details.tsx";

/** The states in order of importance. */
const ORDER: readonly PartState[] = ["failed", "going", "untried", "held"];

function statesOf({ parts, checks }: Evidence): PartState[] {
  const states = Object.values(parts).map(({ state }) => state);
  return checks ? [...states, checksState(checks)] : states;
}

/**
 * The most important state of a revision's parts and checks: failed, then in progress, then not tried, then held.
 * Undefined if none of them was tried or is being tried.
 */
export function worstState(evidence: Evidence): PartState | undefined {
  const all = statesOf(evidence);
  if (all.every((state) => state === "untried" || state === "inapplicable")) return undefined;
  return ORDER.find((state) => all.includes(state));
}
