import { readFacts, serverCommand, takesChanges } from "@treadle/agent";
import type { ServerState } from "@treadle/protocol";
import { WorkspaceError, type CheckpointRecord, type Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { keepCheckpoint } from "@treadle/workspace";
import type { ProjectContext } from "../project-context/project-context.ts";
import { noData } from "@treadle/app-database";
import { ApiFailure } from "@treadle/common";
import { canRun } from "../workspace/can-run.ts";

/** The checkpoint and conversation that a person returns to. */
export interface GoBack {
  checkpoint: string;
  /** Restores the conversation too: later messages are hidden and no longer sent to models. */
  conversation?: boolean | undefined;
  /** Restores the app's databases too. */
  data?: boolean | undefined;
  /**
   * The last message of the restored conversation, or empty if it had none. Absent: the last message at the time of the
   * checkpoint.
   */
  head?: string | undefined;
}

/**
 * Creates a function that restores a project's files to a checkpoint and, on request, its conversation and data. It
 * saves the current files as a checkpoint first, stops the server if the restored files cannot run it, starts it
 * again once they can, and restarts one that would continue with its old code. Nothing else may be changing the
 * files meanwhile.
 */
export function createRestore(
  context: Omit<ProjectContext, "id" | "readTerminal"> & Pick<ProjectContext, "id">,
  startServer: (command: string) => void,
): (back: GoBack) => Promise<void> {
  const { trust, view, parts } = context;
  /**
   * The command of the server that was stopped because a restore took its files away; undefined if there is none.
   */
  let backedFrom: string | undefined;

  /**
   * The last message of the conversation to restore; undefined if it stays as it is.
   * @throws ApiFailure 409 `no-conversation` if the conversation at that time is unknown
   */
  function headOf({ checkpoint: name, conversation, head }: GoBack): string | undefined {
    if (!conversation) return undefined;
    const saved = view.checkpoints.findLast(
      ({ checkpoint, revision }) => checkpoint === name || revision === name,
    );
    const found = head ?? saved?.head;
    if (found !== undefined && (found === "" || view.said.has(found))) return found;
    throw new ApiFailure(409, "no-conversation", sentence("conversation-unknown"));
  }

  /**
   * The checkpoint with the saved data to restore.
   * @throws ApiFailure if no data was saved
   */
  function keptIn({ checkpoint: name }: GoBack): string {
    const has = parts.keptData?.has(context.id);
    const found = view.checkpoints.findLast(
      ({ checkpoint, revision }) =>
        (checkpoint === name || revision === name) && has?.has(checkpoint),
    );
    if (!found) throw noData();
    return found.checkpoint;
  }

  return async (back) => {
    const head = headOf(back);
    const savedData = back.data ? keptIn(back) : undefined;
    const workspace = await context.workspace();
    const left = await keepCheckpoint(context, workspace, sentence("before-back"));
    if (savedData !== undefined) {
      // Undoing the restore needs the current data.
      await parts.keptData!.save(context.id, workspace, left.checkpoint);
      await parts.keptData!.putBack(context.id, workspace, savedData);
    }
    trust.restoring();
    const { server } = workspace;
    const isOn = server?.state === "up" || server?.state === "starting";
    const { checkpoint, revision, label } = await restoreKept(context, workspace, back.checkpoint);
    // The server's files may be gone, so that it would only keep failing.
    if (server && !(await canRun(workspace, server.command))) {
      await workspace.stopServer();
      if (isOn) backedFrom = server.command;
    } else if (backedFrom !== undefined && (await canRun(workspace, backedFrom))) {
      if (!isOn) startServer(backedFrom);
      backedFrom = undefined;
    } else if (
      isOn &&
      // The server's memory may contain data that is no longer in the database, or code that is no longer in the
      // files.
      (savedData !== undefined ||
        (revision !== left.revision && !(await readsChanges(workspace, server))))
    )
      startServer(server.command);
    // The next model request must not contain anything from after the restored message.
    if (head !== undefined)
      await parts.store.projects.update(context.id, { lastRun: view.said.get(head)?.last });
    await trust.restored({ workspace, lastRun: (await context.record()).lastRun });
    const went =
      head === undefined ? {} : { head, left: { checkpoint: left.checkpoint, head: view.head } };
    context.append({ type: "restored", checkpoint, revision, label, ...went });
    await parts.store.log.settled();
  };
}

/** Whether a running server updates its app by itself when files change. */
async function readsChanges(workspace: Workspace, server: ServerState): Promise<boolean> {
  const script = serverCommand(await readFacts(workspace), server)?.script;
  return script !== undefined && takesChanges(script);
}

/** Maximum number of attempts if a program keeps writing the same file. */
const RESTORE_TRIES = 3;

/**
 * Restores the files to a checkpoint. Changes that a person makes meanwhile are saved as a checkpoint before they are
 * replaced.
 * @throws ApiFailure 409 `changed` if a file changes during every attempt
 */
export async function restoreKept(
  context: Pick<ProjectContext, "view" | "append">,
  workspace: Workspace,
  checkpoint: string,
): Promise<CheckpointRecord> {
  for (let tries = 1; ; tries++) {
    try {
      return await workspace.restore(checkpoint);
    } catch (error) {
      if (!(error instanceof WorkspaceError && error.code === "conflict")) throw error;
      await keepCheckpoint(context, workspace, "Changed while going back");
      if (tries === RESTORE_TRIES)
        throw new ApiFailure(409, "changed", sentence("restore-prevented", { why: error.message }));
    }
  }
}

/** Restores a checkpoint in a new project, whose folder is still empty. */
export async function fillFrom(
  context: Pick<ProjectContext, "trust" | "workspace" | "record">,
  name: string,
): Promise<void> {
  const workspace = await context.workspace();
  // Late reports of a watcher about this are not the person's changes.
  const commandEnded = context.trust.authors.commandRuns();
  try {
    context.trust.restoring();
    await workspace.restore(name);
    await context.trust.restored({ workspace, lastRun: (await context.record()).lastRun });
  } finally {
    commandEnded();
  }
}
