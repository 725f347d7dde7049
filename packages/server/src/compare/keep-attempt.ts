import { createHash } from "node:crypto";
import type { LogEvent, ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError, type FileDifference, type Workspace } from "@treadle/workspace";
import { ApiFailure } from "@treadle/common";
import type { Store } from "@treadle/store";
import { copyKeptFolders } from "../project-context/copy-kept-folders.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import type { LongFile } from "../runtime/take-turns.ts";
import { wholeLog } from "@treadle/store";
import { TAKEN } from "../transcripts/taken-events.ts";

const NAMED = 3;

export interface KeepParts {
  store: Store;
  runtimes: Runtimes;
  folderOf(project: string): string;
}

/**
 * Brings what an attempt made back into the project that it was a copy of: files that the attempt changed, and its turns,
 * after a checkpoint of how the project stands. Then the project is looked at, as it has hosts and secrets of its own.
 * @param attempt its project, the checkpoint that it began with, and the number of its log's last entry then
 * @param isOver files that were changed in both become the attempt's
 * @throws ApiFailure 409 `working`; `changed` where files were changed in both: nothing was written then
 */
export async function keepAttempt(
  { store, runtimes, folderOf }: KeepParts,
  project: string,
  attempt: { project: string; checkpoint: string; after: number; run: string | undefined },
  isOver: boolean,
): Promise<void> {
  const [runtime, winner] = [await runtimes.get(project), await runtimes.get(attempt.project)];
  const checkpoint = await winner.keepNow("As it was kept");
  const [own, made] = [await runtime.workspace(), await winner.workspace()];
  const [changed, since] = await Promise.all([
    made.diff(attempt.checkpoint, checkpoint),
    own.diff(attempt.checkpoint),
  ]);
  const meanwhile = new Set(since.map(({ path }) => path));
  const both = changed.filter(({ path }) => meanwhile.has(path));
  if (both.length > 0 && !isOver) throw changedInBoth(both.map(({ path }) => path));
  const events: LogEvent[] = [];
  for await (const { event } of wholeLog(store, attempt.project, attempt.after))
    if (event.type === "evidence" || (TAKEN.has(event.type) && event.type !== "files"))
      events.push(taken(event));
  const known = new Set((await store.messages.list(project)).map(({ id }) => id));
  const messages = (await store.messages.list(attempt.project)).filter(({ id }) => !known.has(id));
  await copyKeptFolders(folderOf(attempt.project), folderOf(project));
  const label = winner.view.lastMessage ?? "";
  await runtime.takeTurns({
    paths: pathsOf(changed.filter(({ kind }) => kind !== "removed")),
    gone: pathsOf(changed.filter(({ kind }) => kind === "removed")),
    read: (path) =>
      made.fileAt(checkpoint, path).catch((error: unknown) => {
        if (error instanceof WorkspaceError && error.code === "too-large")
          return readLong(made, path);
        throw error;
      }),
    events,
    messages,
    label: label.replace(/\s+/g, " ").trim().slice(0, 80),
    run: attempt.run,
  });
  runtime.check({ asked: false });
}

const pathsOf = (files: readonly FileDifference[]) => files.map(({ path }) => toProjectPath(path));

/** As it stands, since nothing is at work on it: of a checkpoint no longer file is given than is held. */
async function readLong({ files }: Workspace, path: ProjectPath): Promise<LongFile> {
  const hash = createHash("sha1");
  for await (const piece of (await files.readStream(path)).pieces) hash.update(piece);
  const { pieces } = await files.readStream(path);
  return { version: hash.digest("hex"), pieces };
}

/** Checkpoints of the attempt are none of the project. */
function taken(event: LogEvent): LogEvent {
  if (event.type === "message") return { ...event, queued: false };
  if (event.type !== "run-end") return event;
  const { best: _best, ...end } = event;
  return end;
}

function changedInBoth(paths: readonly string[]): ApiFailure {
  const more = paths.length - NAMED;
  const named = paths.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return new ApiFailure(
    409,
    "changed",
    `The attempt and the project both changed ${named}. Nothing was taken over. If you keep the attempt all the same, its versions replace the project’s, which are first kept as a checkpoint.`,
  );
}
