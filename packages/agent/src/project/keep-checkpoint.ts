import type { CheckpointRecord } from "@treadle/workspace";
import { abortable } from "../async/waiting.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "./project-in-run.ts";

/**
 * Keeps the files as they are, and says so where that made a checkpoint that was not there before.
 * @returns the checkpoint of what stands, whether it is new or not.
 */
export async function keepCheckpoint(
  project: ProjectInRun,
  label: string,
  { run, signal, emit }: RunScope,
): Promise<CheckpointRecord> {
  const { workspace } = project;
  project.checkpoints ??= new Set(
    (await abortable(workspace.checkpoints(), signal)).map(({ checkpoint }) => checkpoint),
  );
  const kept = await abortable(workspace.checkpoint(label), signal);
  const { checkpoint, revision } = kept;
  if (!project.checkpoints.has(checkpoint))
    emit({ type: "checkpoint", checkpoint, revision, label: kept.label, run });
  project.checkpoints.add(checkpoint);
  project.revision = revision;
  return kept;
}
