import { asSentence, type Sentence } from "@treadle/protocol/sentences";
import type { LogEvent } from "@treadle/protocol";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Workspace } from "../types.ts";

/** Saves a checkpoint of the current files, and logs it if it is new. Rejects as the workspace does. */
export async function keepCheckpoint(
  { view, append }: { view: Pick<ProjectState, "checkpoints">; append(event: LogEvent): void },
  workspace: Workspace,
  label: string | Sentence,
  run?: string,
): Promise<{ checkpoint: string; revision: string }> {
  const { text, coded } = asSentence(label);
  const { checkpoint, revision, ...record } = await workspace.checkpoint(text);
  if (!view.checkpoints.some((one) => one.checkpoint === checkpoint))
    append({
      type: "checkpoint",
      checkpoint,
      revision,
      label: record.label,
      labelCode: record.label === text ? coded : undefined,
      run,
    });
  return { checkpoint, revision };
}
