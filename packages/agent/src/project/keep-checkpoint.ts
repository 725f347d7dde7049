import { asSentence, type Sentence } from "@treadle/protocol/sentences";
import type { CheckpointRecord } from "@treadle/workspace";
import { abortable } from "../async/waiting.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "./project-in-run.ts";

/**
 * Saves a checkpoint of the person's changes in the middle of a step, before the run overwrites them. The step's own
 * changes are still logged at its end. Rejects as the workspace does; the caller must then write nothing.
 */
export async function keepStanding(project: ProjectInRun, scope: RunScope): Promise<void> {
  const { revision } = project;
  await keepCheckpoint(project, "What you wrote meanwhile", scope);
  project.revision = revision;
}

/**
 * Saves a checkpoint of the current files, and logs it if it is new.
 * @returns the checkpoint of the current files, whether new or not
 */
export async function keepCheckpoint(
  project: ProjectInRun,
  label: string | Sentence,
  { run, signal, emit }: RunScope,
): Promise<CheckpointRecord> {
  const { workspace } = project;
  const { text, coded } = asSentence(label);
  project.checkpoints ??= new Set(
    (await abortable(workspace.checkpoints(), signal)).map(({ checkpoint }) => checkpoint),
  );
  const saved = await abortable(workspace.checkpoint(text), signal);
  const { checkpoint, revision } = saved;
  if (!project.checkpoints.has(checkpoint))
    emit({
      type: "checkpoint",
      checkpoint,
      revision,
      label: saved.label,
      // If the label was cut, its code no longer matches.
      labelCode: saved.label === text ? coded : undefined,
      run,
    });
  project.checkpoints.add(checkpoint);
  project.revision = revision;
  return saved;
}
