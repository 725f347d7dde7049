import { asSentence, type Sentence } from "@treadle/protocol/sentences";
import type { CheckpointRecord } from "@treadle/workspace";
import { abortable } from "../async/waiting.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "./project-in-run.ts";

/**
 * Keeps what a person wrote before the run writes over it, in the midst of a step. What the step itself changed is told at
 * its end as ever. Rejects as the workspace does: nothing is to be written then.
 */
export async function keepStanding(project: ProjectInRun, scope: RunScope): Promise<void> {
  const { revision } = project;
  await keepCheckpoint(project, "What you wrote meanwhile", scope);
  project.revision = revision;
}

/**
 * Keeps the files as they are, and says so where that made a checkpoint that was not there before.
 * @returns the checkpoint of what stands, whether it is new or not.
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
      // A label that was too long was cut.
      labelCode: saved.label === text ? coded : undefined,
      run,
    });
  project.checkpoints.add(checkpoint);
  project.revision = revision;
  return saved;
}
