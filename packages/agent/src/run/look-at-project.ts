import type { Evidence } from "@treadle/protocol";
import { gatherEvidence } from "../evidence/gather-evidence.ts";
import { abortable } from "./abortable.ts";
import type { Run } from "./state.ts";

/** Gathers evidence of the project as it stands, telling each change of a part. */
export async function lookAtProject(run: Run): Promise<Evidence> {
  const { workspace, looker, clock, pictures, model } = run.ports;
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
    onEvidence: (seen) => run.emit({ type: "evidence", evidence: seen, run: run.request.run }),
    signal: run.signal,
  });
  const evidence = await abortable(looked, run.signal);
  run.evidence = evidence;
  for (const { name, state } of evidence.checks ?? [])
    if (state === "failed") run.failedChecks.add(name);
  return evidence;
}
