import type { LongFile, TakenTurns } from "@treadle/attempts";
import type { ProjectPath } from "@treadle/protocol";
import type { Sentence } from "@treadle/protocol/sentences";
import type { KeptFile, Workspace } from "@treadle/workspace";
import { keepCheckpoint } from "@treadle/workspace";
import type { ProjectContext } from "../project-context/project-context.ts";
import { restoreKept } from "./restore-files.ts";

/**
 * Applies turns of a copy to the project. Saves a checkpoint first, then writes the files as
 * unreviewed changes by the model, then appends messages and actions to the log. Nothing else may
 * be changing the files. If a file cannot be written, all files are restored.
 * @param before label of the checkpoint before
 * @param prepare decides what is taken, based on that checkpoint; if it rejects, nothing is changed
 */
export async function takeTurns(
  context: ProjectContext,
  before: string | Sentence,
  prepare: (checkpoint: string) => Promise<TakenTurns>,
): Promise<void> {
  const { id, parts, trust } = context;
  const workspace = await context.workspace();
  const { checkpoint } = await keepCheckpoint(context, workspace, before);
  const taken = await prepare(checkpoint);
  try {
    // Removals come first: a removed file may be in the way of a new folder.
    for (const path of taken.gone) {
      trust.modelWrote(workspace, path, "", true);
      await workspace.files.remove(path);
    }
    // Sequentially: an attempt may have created any number of files, of any size (A72).
    for (const path of taken.paths) {
      const file = await taken.read(path);
      if (file) await write(context, workspace, path, file);
    }
  } catch (error) {
    await restoreKept(context, workspace, checkpoint);
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
