import type { Evidence } from "@treadle/protocol";
import { evidenceText } from "../evidence/evidence-text.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";

const REPAIR = prose(new URL("./repair.md", import.meta.url));
const REPAIR_AGAIN = prose(new URL("./repair-again.md", import.meta.url));

/** What the model is told when its work was seen to be broken. The evidence is data, whatever it says. */
export function repairText(
  evidence: Evidence,
  { again, now }: { again: boolean; now: number },
): string {
  return `${again ? REPAIR_AGAIN : REPAIR}\n${fence("build-result", evidenceText(evidence, now))}`;
}
