import { join } from "node:path";
import type { Workspace, WorkspaceNotice } from "@treadle/workspace";
import { createRefusalLog } from "./refusal-log.ts";
import type { ProjectContext } from "./types.ts";
import { workspaceSettings } from "./workspace-settings.ts";

/** Characters of the server's output that are kept for those who come later. */
const OUTPUT_KEPT = 256 * 1024;
export interface WorkspaceHolder {
  /** Opens it at the first call. Rejects with WorkspaceError; the next call tries again. */
  open(): Promise<Workspace>;
  /** The workspace, where it is open already. */
  current(): Workspace | undefined;
  ports(): number[];
  /** What the project's server printed: first what is kept, then live, until the returned function is called. */
  onServerOutput(listener: (text: string) => void): () => void;
  /** What may be reached and what the server is given was changed: tells the workspace, where it is open. */
  settingsChanged(): Promise<void>;
  /** Ends it, if it is open. The next `open` opens it anew. */
  release(): Promise<void>;
}

/** Where a project without a folder of its own lies. */
export function projectFolder(dataDirectory: string, project: string): string {
  return join(dataDirectory, "projects", project);
}

/** Opens a project's workspace when it is first needed, and turns what it tells into events of the log. */
export function holdWorkspace(
  context: Omit<ProjectContext, "workspace">,
  options: { isWorking(): boolean },
): WorkspaceHolder {
  let opening: Promise<Workspace> | undefined;
  let workspace: Workspace | undefined;
  let unlisten = () => {};
  let ports: number[] = [];
  let output = "";
  const refusals = createRefusalLog({
    now: () => context.parts.clock.now(),
    append: (event) => context.append(event),
  });
  const outputListeners = new Set<(text: string) => void>();
  /** Notices become events in the order in which they came, although some have to ask for the revision first. */
  let order = Promise.resolve();

  async function open(): Promise<Workspace> {
    const { parts, id } = context;
    const record = await context.record();
    const folder = projectFolder(parts.dataDirectory, id);
    const opened = await parts.driver.open({
      project: id,
      directory: record.directory ?? join(folder, "files"),
      stateDirectory: join(folder, "state"),
      handBack: record.directory !== undefined,
      settings: await workspaceSettings(parts.store, id),
    });
    unlisten = opened.listen((notice) => {
      order = order
        .then(() => tell(opened, notice))
        .catch((error: Error) => {
          parts.onNotice(`${record.name}: ${error.message}`);
        });
    });
    workspace = opened;
    return opened;
  }

  async function tell(from: Workspace, notice: WorkspaceNotice): Promise<void> {
    switch (notice.type) {
      case "files": {
        const changes = notice.changes.map((change) => context.hands.attribute(change));
        for (const [index, change] of changes.entries())
          if (change.by === "person")
            context.personWrites.set(change.path, notice.changes[index]?.version ?? "");
        // While a run goes on, the loop asks for the revision itself, and more often than it is worth here.
        const revision = options.isWorking() ? undefined : await from.revision();
        context.append({ type: "files", changes, ...(revision === undefined ? {} : { revision }) });
        return;
      }
      case "server":
        ports = notice.server.state === "up" ? notice.server.ports : [];
        context.append({ type: "server", server: notice.server });
        return;
      case "ports":
        ports = notice.ports;
        return;
      case "server-output":
        output = (output + notice.text).slice(-OUTPUT_KEPT);
        for (const listener of outputListeners) listener(notice.text);
        return;
      case "egress-refused":
        return refusals.refused(notice.host, notice.reason);
      case "lost":
        ports = [];
        context.parts.onNotice(`A project's sandbox went away: ${notice.reason}`);
        return;
    }
  }

  return {
    open() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    current: () => workspace,
    ports: () => ports,
    onServerOutput(listener) {
      if (output !== "") listener(output);
      outputListeners.add(listener);
      return () => outputListeners.delete(listener);
    },
    async settingsChanged() {
      refusals.forget();
      const opened = await opening?.catch(() => undefined);
      opened?.configure(await workspaceSettings(context.parts.store, context.id));
    },
    async release() {
      const waiting = opening;
      opening = undefined;
      const opened = await waiting?.catch(() => undefined);
      if (!opened) return;
      unlisten();
      workspace = undefined;
      ports = [];
      await order;
      await opened.stop();
    },
  };
}
