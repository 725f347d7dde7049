import type { LogEvent, ProjectPath } from "@treadle/protocol";
import type { StoredMessage } from "@treadle/store";
import type { KeptFile, Workspace } from "@treadle/workspace";
import { keepCheckpoint } from "../project-context/keep-checkpoint.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { restoreKept } from "./restore-files.ts";

/** A file that is longer than is held. */
export interface LongFile {
  version: string;
  pieces: AsyncIterable<Uint8Array>;
}

/** What was said and made in a copy of a project, to be taken over by the project itself. */
export interface TakenTurns {
  /** Files that are there, and otherwise than here. */
  paths: readonly ProjectPath[];
  /** Files that are not there any more. */
  gone: readonly ProjectPath[];
  /** Such a file; undefined where there is none after all. */
  read(path: ProjectPath): Promise<KeptFile | LongFile | undefined>;
  events: readonly LogEvent[];
  messages: readonly StoredMessage[];
  /** What the checkpoint of it is called. */
  label: string;
  /** The run that left it so. */
  run: string | undefined;
}

/**
 * Takes turns over: how the project stands is kept first, then their files are written, as the model's and agreed to by
 * nobody, and what was said and done follows in the log. Nothing else may be at work on the files. Where a file cannot be
 * written, all stand as before.
 */
export async function takeTurns(context: ProjectContext, taken: TakenTurns): Promise<void> {
  const { id, parts, trust } = context;
  const workspace = await context.workspace();
  const before = await keepCheckpoint(context, workspace, "Before an attempt was kept");
  try {
    // What goes, goes first: a file may stand where a folder has to be.
    for (const path of taken.gone) {
      trust.modelWrote(workspace, path, "", true);
      await workspace.files.remove(path);
    }
    // One after the other: an attempt may have made any number of files, and of any size (A72).
    for (const path of taken.paths) {
      const file = await taken.read(path);
      if (file) await write(context, workspace, path, file);
    }
  } catch (error) {
    await restoreKept(context, workspace, before.checkpoint);
    throw error;
  }
  for (const message of taken.messages) await parts.store.messages.put(id, message);
  for (const event of taken.events) context.append(event);
  const lastRun = await keepCheckpoint(context, workspace, taken.label, taken.run);
  await parts.store.projects.update(id, { lastRun, updatedAt: parts.clock.now() });
  await parts.store.log.settled();
}

async function write(
  { trust }: ProjectContext,
  workspace: Workspace,
  path: ProjectPath,
  file: KeptFile | LongFile,
): Promise<void> {
  if ("link" in file && file.link) return;
  trust.modelWrote(workspace, path, file.version, true);
  if ("pieces" in file) await workspace.files.writeStream(path, file.pieces);
  else await workspace.files.write(path, file.bytes, { executable: file.executable });
}
