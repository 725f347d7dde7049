import type { Evidence, PartState } from "@treadle/protocol";
import { checksState } from "./checks-details.tsx";

/** The states in order of importance. */
const ORDER: readonly PartState[] = ["failed", "going", "untried", "held"];

function statesOf({ parts, checks }: Evidence): PartState[] {
  const states = Object.values(parts).map(({ state }) => state);
  return checks ? [...states, checksState(checks)] : states;
}

/** Whether anything of a revision was looked at, or is being looked at. */
export function isAnythingTried(evidence: Evidence): boolean {
  return statesOf(evidence).some((state) => state !== "untried" && state !== "inapplicable");
}

/** The one state that says most of a revision: what failed goes before what goes on, that before what was not tried. */
export function worstState(evidence: Evidence): PartState {
  const all = statesOf(evidence);
  return ORDER.find((state) => all.includes(state)) ?? "inapplicable";
}
