import type { CheckpointRecord } from "@treadle/workspace";
import { abortable } from "../async/abortable.ts";
import type { Run } from "../loop/state.ts";

/**
 * Keeps the files as they are, and says so where that made a checkpoint that was not there before.
 * @returns the checkpoint of what stands, whether it is new or not.
 */
export async function keepCheckpoint(run: Run, label: string): Promise<CheckpointRecord> {
  const { workspace } = run.ports;
  run.checkpoints ??= new Set(
    (await abortable(workspace.checkpoints(), run.signal)).map(({ checkpoint }) => checkpoint),
  );
  const kept = await abortable(workspace.checkpoint(label), run.signal);
  if (!run.checkpoints.has(kept.checkpoint))
    run.emit({
      type: "checkpoint",
      checkpoint: kept.checkpoint,
      revision: kept.revision,
      label: kept.label,
      run: run.request.run,
    });
  run.checkpoints.add(kept.checkpoint);
  run.revision = kept.revision;
  return kept;
}
