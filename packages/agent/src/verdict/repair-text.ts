import type { Evidence } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { evidenceText } from "../text/evidence-text.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";

const REPAIR = prose(new URL("./repair.md", import.meta.url));
const REPAIR_CHECK = prose(new URL("./repair-check.md", import.meta.url));
const REPAIR_AGAIN = prose(new URL("./repair-again.md", import.meta.url));
const REPAIR_UNCHANGED = prose(new URL("./repair-unchanged.md", import.meta.url));

/**
 * The message for the model after a failed check. The evidence in it is data, whatever it contains.
 * @param options.again whether the same failure was told last; `unchanged`: of the same revision
 */
export function repairText(
  evidence: Evidence,
  { again, now }: { again: boolean | "unchanged"; now: number },
): string {
  const text = fence("build-result", evidenceText(evidence, now));
  const opening = again === "unchanged" ? REPAIR_UNCHANGED : again ? REPAIR_AGAIN : REPAIR;
  const words = `${opening}\n${text}`;
  return judge(evidence).check ? `${words}\n${REPAIR_CHECK}` : words;
}
