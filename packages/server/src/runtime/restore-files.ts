import { keepCheckpoint } from "../project-context/keep-checkpoint.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { canRun } from "../workspace/can-run.ts";

/**
 * Puts a project's files back to a checkpoint, what stands being kept as one first; its server is stopped where it could not
 * live on them, and started again where it can once more. Nothing else may be at work on the files.
 */
export function createRestore(
  context: Omit<ProjectContext, "id" | "readTerminal">,
  startServer: (command: string) => void,
): (checkpoint: string) => Promise<void> {
  const { trust } = context;
  /** What ran until its files were gone back from. */
  let backedFrom: string | undefined;

  return async (name) => {
    const workspace = await context.workspace();
    await keepCheckpoint(context, workspace, "Before going back");
    trust.restoring();
    const { server } = workspace;
    const isOn = server?.state === "up" || server?.state === "starting";
    const { checkpoint, revision, label } = await workspace.restore(name);
    // Files that it lives on may be gone: it would only fail, again and again.
    if (server && !(await canRun(workspace, server.command))) {
      await workspace.stopServer();
      if (isOn) backedFrom = server.command;
    } else if (backedFrom !== undefined && (await canRun(workspace, backedFrom))) {
      if (!isOn) startServer(backedFrom);
      backedFrom = undefined;
    }
    await trust.restored({ workspace, lastRun: (await context.record()).lastRun });
    context.append({ type: "restored", checkpoint, revision, label });
    await context.parts.store.log.settled();
  };
}
