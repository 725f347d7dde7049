import type { Evidence } from "@treadle/protocol";
import { gatherEvidence } from "../evidence/gather-evidence.ts";
import { abortable } from "../async/abortable.ts";
import { withFaults } from "../calls/faults.ts";
import type { Run } from "../loop/state.ts";

/** Gathers evidence of the project as it stands, telling each change of a part. */
export async function lookAtProject(run: Run): Promise<Evidence> {
  const { workspace, looker, clock, pictures, model } = run.ports;
  let isTold = false;
  const looked = gatherEvidence({
    workspace,
    ...(looker ? { looker } : {}),
    ...(pictures && model.seesPictures ? { keepPicture: (bytes) => pictures.keep(bytes) } : {}),
    clock,
    ...(run.evidence ? { previous: run.evidence } : {}),
    touched: run.touched,
    // What is for running by hand may be what is to be repaired.
    asked: run.repairAsked,
    checks: run.checks,
    run: run.request.run,
    ...(run.request.lastVerdict === "verified" ? { failedChecks: run.failedChecks } : {}),
    ...(run.served === undefined ? {} : { served: run.served }),
    onEvidence: (seen) => {
      isTold = true;
      tell(run, seen);
    },
    signal: run.signal,
  });
  const seen = await abortable(looked, run.signal);
  const evidence = withFaults(seen, run);
  // What was known already is told again where something went badly since, or was made good.
  if (!isTold && JSON.stringify(evidence.turn) !== JSON.stringify(seen.turn)) tell(run, seen);
  run.evidence = evidence;
  for (const { name, state } of evidence.checks ?? [])
    if (state === "failed") run.failedChecks.add(name);
  return evidence;
}

function tell(run: Run, seen: Evidence): void {
  run.emit({ type: "evidence", evidence: withFaults(seen, run), run: run.request.run });
}
