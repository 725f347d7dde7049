import { toolKind } from "@treadle/protocol/tools";
import type { StepRecord } from "../answer/step-record.ts";
import { abortable } from "../async/abortable.ts";
import { saveReply } from "../context/conversation/conversation.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import { findTool } from "../tools/all-tools.ts";
import type { Tool } from "../tools/tool.ts";
import { putBackChanged } from "../trust/put-back.ts";
import { noteTried } from "../verdict/repairs.ts";
import type { Run } from "./run.ts";

/** Files as they are after a step, and the words that were said, are kept before anything else happens. */
export async function keepStep(
  { protectedFiles, project, calls, asking, repairs, conversation, save, scope }: Run,
  record: StepRecord,
): Promise<void> {
  const { foreign } = asking;
  // A server that goes on may have written since its call.
  if (protectedFiles) await abortable(putBackChanged(protectedFiles, scope), scope.signal);
  const mayHaveChanged = record.calls.some(
    ({ startedAt, tool }) => startedAt !== undefined && findTool(tool, foreign)?.changes,
  );
  if (mayHaveChanged) {
    const before = project.revision;
    const kept = await keepCheckpoint(project, labelOf(record, foreign), scope);
    if (kept.revision !== before) {
      project.changed = true;
      calls.guard.filesChanged();
    }
  }
  noteTried(repairs, record);
  // A store that does not answer must not hold up a stop.
  await abortable(saveReply(conversation, save), scope.signal);
}

/** Files may change under it, although that is not what it is for. */
const isLook = (tool: string) => toolKind(tool) === "looks" || toolKind(tool) === "serves";

/** What was changed: what was only noted, read or started beside it is no name for a checkpoint. */
function labelOf({ step, calls }: StepRecord, foreign: readonly Tool[]): string {
  const titles = calls
    .filter(
      ({ outcome, tool }) =>
        outcome?.status === "ok" && findTool(tool, foreign)?.changes && !isLook(tool),
    )
    .map(({ outcome }) => outcome?.title ?? "");
  const [first] = titles;
  if (first === undefined) return `Step ${step}`;
  return titles.length === 1 ? first : `${first} and ${titles.length - 1} more`;
}
