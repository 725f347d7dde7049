import type { CheckpointRecord, FileDifference, Workspace } from "@treadle/workspace";
import { clipLine, clipMiddle } from "../../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { DIFF_MENTIONED } from "./limits.ts";
import type { ResolveMention, ResolvedMention } from "./types.ts";

/**
 * Changes since the newest checkpoint with different files: of the last turn, or by the person
 * since.
 */
export const mentionedDiff: ResolveMention<"diff"> = async (_mention, { workspace }) => {
  const [checkpoints, revision] = await Promise.all([newestFirst(workspace), workspace.revision()]);
  const before = checkpoints.find((one) => one.revision !== revision);
  if (!before) return { ok: false, said: "nothing was changed yet" };
  return changesSince(before, workspace);
};

/** Resolves the changes since a checkpoint; without a name, since the newest one. */
export const mentionedCheckpoint: ResolveMention<"checkpoint"> = async (
  { name },
  { workspace },
) => {
  const checkpoints = await newestFirst(workspace);
  const found = name === undefined ? checkpoints[0] : find(checkpoints, name);
  if (found) return changesSince(found, workspace);
  return { ok: false, said: name ? "no checkpoint has that id or label" : "there is none yet" };
};

async function newestFirst(workspace: Workspace): Promise<CheckpointRecord[]> {
  return (await workspace.checkpoints()).toSorted((a, b) => b.at - a.at);
}

function find(
  checkpoints: readonly CheckpointRecord[],
  name: string,
): CheckpointRecord | undefined {
  const wantedName = name.toLowerCase();
  return (
    checkpoints.find(
      ({ checkpoint, revision }) => checkpoint === wantedName || revision === wantedName,
    ) ??
    checkpoints.find(({ label }) => label.toLowerCase() === wantedName) ??
    // The page shows four characters of a revision.
    (/^[0-9a-f]{4,}$/.test(wantedName)
      ? checkpoints.find(
          ({ checkpoint, revision }) =>
            revision.startsWith(wantedName) || checkpoint.startsWith(wantedName),
        )
      : undefined) ??
    checkpoints.find(({ label }) => label.toLowerCase().includes(wantedName))
  );
}

async function changesSince(
  since: CheckpointRecord,
  workspace: Workspace,
): Promise<ResolvedMention> {
  const changes = await workspace.diff(since.checkpoint);
  const label = clipLine(visibleText(since.label), 80);
  const summary = `${changes.length} files changed since “${label}” (${since.revision.slice(0, 4)})`;
  const text = changes.map(difference).join("\n") || "(no file differs)";
  return { ok: true, said: summary, content: clipMiddle(text, DIFF_MENTIONED) };
}

const difference = ({ path, kind, binary, diff }: FileDifference) =>
  `${kind} ${path}${binary ? " (not text)" : ""}${kind === "removed" || diff === "" ? "" : `\n${diff}`}`;
