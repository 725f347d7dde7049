import type { LogEvent, ProjectPath } from "@treadle/protocol";
import type { StoredMessage } from "@treadle/store";
import type { KeptFile } from "@treadle/workspace";
import { keepCheckpoint } from "../project-context/keep-checkpoint.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

/** What was said and made in a copy of a project, to be taken over by the project itself. */
export interface TakenTurns {
  /** Files that are otherwise there. */
  paths: readonly ProjectPath[];
  /** Such a file; undefined: it is gone. */
  read(path: ProjectPath): Promise<KeptFile | undefined>;
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
    const files = await Promise.all(
      taken.paths.map(async (path) => ({ path, file: await taken.read(path) })),
    );
    // What goes, goes first: a file may stand where a folder has to be.
    for (const { path, file } of files)
      if (!file) {
        trust.modelWrote(workspace, path, "", true);
        await workspace.files.remove(path);
      }
    for (const { path, file } of files)
      if (file && !file.link) {
        trust.modelWrote(workspace, path, file.version, true);
        await workspace.files.write(path, file.bytes, { executable: file.executable });
      }
  } catch (error) {
    await workspace.restore(before.checkpoint);
    throw error;
  }
  for (const message of taken.messages) await parts.store.messages.put(id, message);
  for (const event of taken.events) context.append(event);
  const lastRun = await keepCheckpoint(context, workspace, taken.label, taken.run);
  await parts.store.projects.update(id, { lastRun, updatedAt: parts.clock.now() });
  await parts.store.log.settled();
}
