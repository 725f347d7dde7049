/** A verified project, with what is reported and stored about it afterwards. */
import type { Evidence, LogEvent } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { emptyState } from "@treadle/protocol/fold";
import type { ProjectContext } from "../project-context/project-context.ts";

/** Evidence of revision `r1` in which every part passed. */
export function heldEvidence(): Evidence {
  const evidence = untriedEvidence("r1");
  for (const part of Object.values(evidence.parts)) part.state = "held";
  return evidence;
}

export function seenProject({ revision = "r1", evidence = heldEvidence() } = {}) {
  const appended: LogEvent[] = [];
  const verdicts: unknown[] = [];
  const context = {
    id: "p",
    view: { ...emptyState(), evidence, revision },
    append: (event: LogEvent) => appended.push(event),
    parts: {
      clock: { now: () => 5 },
      onNotice: () => {},
      store: {
        projects: { update: async (_id: string, next: object) => void verdicts.push(next) },
      },
    },
  } as unknown as ProjectContext;
  return { context, appended, verdicts };
}
