import type { Evidence, PartState } from "@treadle/protocol";
import { checksState } from "./checks-details.tsx";

/** The states in the order in which they are worth knowing. */
const ORDER: readonly PartState[] = ["failed", "going", "untried", "held"];

/** The one state that says most of a revision: what failed goes before what goes on, that before what was not tried. */
export function worstState({ parts, checks }: Evidence): PartState {
  const states = Object.values(parts).map(({ state }) => state);
  const all = checks ? [...states, checksState(checks)] : states;
  return ORDER.find((state) => all.includes(state)) ?? "inapplicable";
}
