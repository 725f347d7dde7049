import { words } from "../words/words.ts";
import type { Reason } from "./source-element.ts";

/** Maximum characters of an expression that are shown. */
const MAX_CODE_CHARS = 80;

/** The reason why something cannot be changed here, for the person. */
export function reasonWords(reason: Reason): string {
  if (reason.why === "expression")
    return words.visual.reasons.expression({ code: reason.code.slice(0, MAX_CODE_CHARS) });
  if (reason.why === "several") return words.visual.reasons.several({ count: reason.count });
  return words.visual.reasons[reason.why];
}
