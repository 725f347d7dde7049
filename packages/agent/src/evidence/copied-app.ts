import type { ServerState } from "@treadle/protocol";
import type { DataCopies, DataCopy } from "../ports/data-copies.ts";
import type { ServerCommand } from "./server-command.ts";

/** The app in data copies: what looks and checks are made on, so that none of them meets what another one left behind. */
export interface CopiedApp {
  /** The first copy; open until `close`. */
  readonly first: DataCopy;
  /**
   * A copy whose data is as the person has it: the last one if nothing has touched it, else a new one in which the same
   * server runs. It is open until the next call. Rejects where a new one cannot be had.
   * @param isRetry something failed in the last one: another one is taken, whatever is known of it
   */
  fresh(isRetry?: boolean): Promise<DataCopy>;
  /** The server of one of the copies that ended by itself. */
  crashed(): ServerState | undefined;
  close(): Promise<void>;
}

/**
 * Opens a data copy and starts the app's server in it.
 * @returns why not, where there can be no copy or the server does not come up in one: the app is then looked at where
 * the person uses it
 */
export async function openCopiedApp(
  copies: DataCopies,
  { command }: ServerCommand,
  signal: AbortSignal,
): Promise<CopiedApp | string> {
  let crashed: ServerState | undefined;
  const first = await startedCopy().catch((error: unknown) => {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  });
  if (typeof first === "string") return first;
  let last: DataCopy | undefined = first;

  async function startedCopy(): Promise<DataCopy> {
    const copy = await copies.open();
    if (!copy) throw new Error("this machine makes none");
    try {
      const server = await copy.workspace.start(command, { signal, alone: true });
      signal.throwIfAborted();
      if (server.state === "up" && server.ports.length > 0) {
        copy.workspace.listen((notice) => {
          if (notice.type === "server" && notice.server.state === "crashed")
            crashed ??= notice.server;
        });
        return copy;
      }
    } catch (error) {
      await copy.close();
      throw error;
    }
    await copy.close();
    throw new Error(`${command} does not start in one`);
  }

  return {
    first,
    async fresh(isRetry = false) {
      if (last && !isRetry && !(await last.isTouched())) return last;
      if (last !== first) await last?.close();
      last = undefined;
      last = await startedCopy();
      return last;
    },
    crashed: () => crashed,
    async close() {
      await Promise.all([first.close(), last === first ? undefined : last?.close()]);
    },
  };
}
