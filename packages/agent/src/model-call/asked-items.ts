import type { AskedItem } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import { clipLine } from "../text/clip.ts";
import { isRecord } from "../text/is-record.ts";
import type { StepRecord } from "./step-record.ts";

/** Maximum requirements stored for one turn. */
const MAX_ITEMS = 30;
/** Maximum characters of each requirement, and of its check's name. */
const WHAT_CHARS = 200;
/** Replaces a check's name for requirements that can only be judged by eye. */
const BY_EYE = "look";

/**
 * The requirements that the model listed when it ended its turn with `finish`, with the checks that prove them;
 * undefined if it listed none.
 */
export function askedItems({ calls }: StepRecord): AskedItem[] | undefined {
  const call = calls.findLast(
    ({ tool, outcome }) => toolKind(tool) === "ends" && outcome?.status === "ok",
  );
  const asked = call?.input?.["asked"];
  if (!Array.isArray(asked)) return undefined;
  const items = asked.flatMap((item): AskedItem[] => {
    if (!isRecord(item) || typeof item["what"] !== "string") return [];
    const what = clipLine(item["what"].trim(), WHAT_CHARS);
    const check = typeof item["check"] === "string" ? item["check"].trim() : "";
    if (what === "") return [];
    if (check === BY_EYE) return [{ what, byEye: true }];
    return [{ what, check: check === "" ? undefined : clipLine(check, WHAT_CHARS) }];
  });
  return items.length > 0 ? items.slice(0, MAX_ITEMS) : undefined;
}
