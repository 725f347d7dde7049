import type { AskedItem } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import { clipLine } from "../text/clip.ts";
import { isRecord } from "../text/is-record.ts";
import type { StepRecord } from "./step-record.ts";

/** Things asked for that are kept of one turn. */
const MAX_ITEMS = 30;
/** Characters of each, and of the name of its check. */
const WHAT_CHARS = 200;
/** What stands in place of a check's name for what only eyes can judge. */
const BY_EYE = "look";

/** What the model said was asked for as it ended its turn with `finish`, and the checks that show it; undefined where it said nothing of that. */
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
