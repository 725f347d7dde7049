import type { Evidence, PartState } from "@treadle/protocol";
import { checksState } from "./checks-details.tsx";

/** The states in order of importance. */
const ORDER: readonly PartState[] = ["failed", "going", "untried", "held"];

function statesOf({ parts, checks }: Evidence): PartState[] {
  const states = Object.values(parts).map(({ state }) => state);
  return checks ? [...states, checksState(checks)] : states;
}

/** Whether any part of the revision has been looked at, or is being looked at. */
export function isAnythingTried(evidence: Evidence): boolean {
  return statesOf(evidence).some((state) => state !== "untried" && state !== "inapplicable");
}

/** The most important state of a revision: failed, then in progress, then not tried. */
export function worstState(evidence: Evidence): PartState {
  const all = statesOf(evidence);
  return ORDER.find((state) => all.includes(state)) ?? "inapplicable";
}
