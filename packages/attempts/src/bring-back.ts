import { createHash } from "node:crypto";
import type { LogEvent, ProjectPath } from "@treadle/protocol";
import type { Sentence } from "@treadle/protocol/sentences";
import { wholeLog } from "@treadle/store";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { TAKEN } from "@treadle/transcripts";
import { planMerge, type FileChanges, type MergePlan, type Side } from "@treadle/git";
import type { AttemptParts, LongFile, TakenTurns } from "./ports.ts";

/** A copy of a project in which an attempt was made, to be merged back. */
export interface CopyAsDone {
  project: string;
  /** The checkpoint from which the copy was made. */
  base: string;
  /** The copy's checkpoint at the end of its turn. */
  tip: string;
  /** The number of the copy's last log entry at its start. */
  after: number;
  run: string | undefined;
}

/**
 * Merges an attempt into the project from which it was copied: its changes with those of the
 * project since then, and its turns, after a checkpoint of the project.
 * @param before the label of that checkpoint
 * @param onPlan receives the merge before anything is changed; if it throws, nothing is
 * @param isOver whether conflicting files become the attempt's
 * @throws ApiFailure 409 `working`
 */
export async function bringBack(
  { store, projects }: Pick<AttemptParts, "store" | "projects">,
  project: string,
  copy: CopyAsDone,
  options: {
    before: string | Sentence;
    isOver: boolean;
    onPlan(plan: MergePlan, standing: string): void;
  },
): Promise<void> {
  const [home, winner] = [await projects.get(project), await projects.get(copy.project)];
  const [own, made] = [await home.workspace(), await winner.workspace()];
  await home.takeTurns(options.before, async (standing) => {
    const ours = { workspace: own, revision: standing };
    const theirs = { workspace: made, revision: copy.tip };
    const plan = await planMerge(project, copy.base, ours, theirs, options.isOver);
    options.onPlan(plan, standing);
    const events: LogEvent[] = [];
    for await (const { event } of wholeLog(store, copy.project, copy.after))
      if (event.type === "evidence" || (TAKEN.has(event.type) && event.type !== "files"))
        events.push(takenEvent(event));
    const known = new Set((await store.messages.list(project)).map(({ id }) => id));
    const messages = (await store.messages.list(copy.project)).filter(({ id }) => !known.has(id));
    await projects.copyKept(copy.project, project);
    const label = (winner.view.lastMessage ?? "").replace(/\s+/g, " ").trim().slice(0, 80);
    return { ...takenFiles(plan, plan.toOurs, theirs), events, messages, label, run: copy.run };
  });
}

/**
 * The files that one side of a merge takes from the other. Files that both sides changed are read from the merge.
 */
export function takenFiles(
  { merged }: MergePlan,
  { written, removed }: FileChanges,
  { workspace, revision }: Side,
): Pick<TakenTurns, "paths" | "gone" | "read"> {
  return {
    paths: written,
    gone: removed,
    read: async (path) =>
      merged.get(path) ??
      workspace.fileAt(revision, path).catch((error: unknown) => {
        if (error instanceof WorkspaceError && error.code === "too-large")
          return readLong(workspace, path);
        throw error;
      }),
  };
}

/**
 * Reads the current version of a file in pieces: a checkpoint's version cannot be read if the file is this long.
 */
async function readLong({ files }: Workspace, path: ProjectPath): Promise<LongFile> {
  const hash = createHash("sha1");
  for await (const piece of (await files.readStream(path)).pieces) hash.update(piece);
  const { pieces } = await files.readStream(path);
  return { version: hash.digest("hex"), pieces };
}

/**
 * An attempt's event as the project's log takes it: without `best`, a checkpoint that does not exist in the
 * project.
 */
function takenEvent(event: LogEvent): LogEvent {
  if (event.type === "message") return { ...event, queued: false };
  if (event.type !== "run-end") return event;
  const { best: _best, ...end } = event;
  return end;
}
