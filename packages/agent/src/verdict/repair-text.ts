import type { Evidence } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { evidenceText } from "../text/evidence-text.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";

const REPAIR = prose(new URL("./repair.md", import.meta.url));
const REPAIR_CHECK = prose(new URL("./repair-check.md", import.meta.url));
const REPAIR_AGAIN = prose(new URL("./repair-again.md", import.meta.url));

/** The message for the model after a failed check. The evidence in it is data, whatever it contains. */
export function repairText(
  evidence: Evidence,
  { again, now }: { again: boolean; now: number },
): string {
  const text = fence("build-result", evidenceText(evidence, now));
  const words = `${again ? REPAIR_AGAIN : REPAIR}\n${text}`;
  return judge(evidence).check ? `${words}\n${REPAIR_CHECK}` : words;
}
