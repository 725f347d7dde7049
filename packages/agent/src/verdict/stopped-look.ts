import { EVIDENCE_PARTS, type Evidence } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";

/** The summary of a part or a check for which the person did not wait. */
const STOPPED = sentence("look-stopped");

/** The evidence of a revision when the person stops the check: parts in progress count as untried. */
export function stoppedLook(seen: Evidence): Evidence {
  const evidence = structuredClone(seen);
  for (const part of EVIDENCE_PARTS) {
    const { state } = evidence.parts[part];
    if (state === "going" || state === "untried")
      evidence.parts[part] = {
        state: "untried",
        summary: STOPPED.text,
        summaryCode: STOPPED.coded,
      };
  }
  for (const check of evidence.checks ?? [])
    if (check.state === "going" || check.state === "untried") {
      check.state = "untried";
      check.steps = [{ ok: false, said: STOPPED.text }];
    }
  return evidence;
}
