import type { Finding } from "@treadle/protocol";
import { stepWords } from "@treadle/protocol/checks";
import { clipLine } from "../../text/clip.ts";
import type { RunCheck } from "./check-places.ts";

/** Limit of findings per observation: a larger number has a single cause. */
const NAMED = 4;

/**
 * Finds links and buttons that a passing check pressed and that opened a missing or broken page of the app; the check went on
 * and passed all the same. Returns one finding per address, at most `NAMED`.
 */
export function leadsNowhere(runs: readonly RunCheck[]): Finding[] {
  const found = new Map<string, Finding>();
  for (const { check, report, tried } of runs) {
    if (report.state !== "held") continue;
    for (const { step, from, path, status } of tried?.used?.nowhere ?? []) {
      const pressed = check.steps[step];
      if (!pressed || found.has(path)) continue;
      found.set(path, {
        code: "dead-link",
        subject: clipLine(pressed.on ?? stepWords(pressed), 200),
        path: clipLine(from, 200),
        check: check.name,
        detail: `${clipLine(path, 200)} answers ${status}`,
      });
    }
  }
  return [...found.values()].slice(0, NAMED);
}
