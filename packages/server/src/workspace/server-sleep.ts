import { headOf } from "@treadle/protocol/safe-text";
import type { ServerState } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { ProjectContext } from "../project-context/project-context.ts";

/**
 * A project's server while nobody uses the project: suspended with its sandbox, and started again
 * at the next look.
 */
export interface ServerSleep {
  /** Whether a sleeping server is being started again. */
  isWaking(): boolean;
  /** Logs that the server sleeps, if it was meant to run. Its process is already gone. */
  serverIsGone(): void;
  /**
   * Starts the server again if it sleeps. Resolves once it answers or its start has failed, or at once if it does
   * not sleep. Never rejects.
   */
  wake(): Promise<void>;
}

/**
 * Whether a server in this state is meant to run: the person did not stop it, and it did not fail.
 */
const isWanted = ({ state }: ServerState) => state === "up" || state === "starting";

export function serverSleep(
  context: Pick<ProjectContext, "view" | "append">,
  open: () => Promise<Workspace>,
): ServerSleep {
  const { view } = context;
  let waking: Promise<void> | undefined;

  async function start(server: ServerState): Promise<void> {
    const { command } = server;
    try {
      await (await open()).start(command);
    } catch (error) {
      const { message } = error as Error;
      const tail = headOf(message, 4_000);
      context.append({
        type: "server",
        server: { state: "crashed", command, ports: [], restarts: 0, tail },
      });
    }
  }

  return {
    isWaking: () => waking !== undefined,
    serverIsGone() {
      const { server } = view;
      if (!server || !isWanted(server)) return;
      const { command } = server;
      context.append({
        type: "server",
        server: { state: "stopped", command, ports: [], restarts: 0, asleep: true },
      });
    },
    wake() {
      const { server } = view;
      if (waking) return waking;
      if (!server?.asleep || server.state !== "stopped") return Promise.resolve();
      // Reported before the sandbox is open, so that viewers see the start immediately.
      context.append({ type: "server", server: { ...server, state: "starting" } });
      waking = start(server).finally(() => (waking = undefined));
      return waking;
    },
  };
}
