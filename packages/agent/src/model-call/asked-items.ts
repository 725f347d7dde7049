import type { AskedItem } from "@treadle/protocol";
import { isSameCheck } from "@treadle/protocol/evidence";
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

/**
 * The requirements after the model listed them again in one turn. It may reword them, but a list that is shorter than the
 * one before omits something: what is not in it any more, by its words or by its check, remains asked for. Otherwise
 * leaving out what no check shows would make a turn verified.
 */
export function askedAgain(
  before: readonly AskedItem[] = [],
  now: readonly AskedItem[] | undefined,
): readonly AskedItem[] | undefined {
  if (now === undefined) return before.length > 0 ? before : undefined;
  if (now.length >= before.length) return now;
  const isListed = (item: AskedItem) =>
    now.some(
      ({ what, check }) =>
        isSameCheck(what, item.what) ||
        (check !== undefined && item.check !== undefined && isSameCheck(check, item.check)),
    );
  return [...now, ...before.filter((item) => !isListed(item))].slice(0, MAX_ITEMS);
}
