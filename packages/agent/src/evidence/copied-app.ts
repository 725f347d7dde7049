import type { ServerState } from "@treadle/protocol";
import type { DataCopies, DataCopy } from "../ports/data-copies.ts";
import { migrate } from "../project/migrations.ts";
import type { ServerCommand } from "../project/server-command.ts";
import { startWithAllPorts } from "../project/all-ports.ts";
import { startAt } from "../project/start-at.ts";

/** A copy of the app that is nobody else's until it is given back. */
export interface LentCopy extends DataCopy {
  /** Starts the app's server again; it is not watched from then on. Rejects as `Workspace.start` does. */
  restart(): Promise<ServerState>;
  /**
   * Gives it back: it is lent again if nothing has touched it, and closed else. Never rejects; safe to call twice.
   * @param isSpent something failed in it, or it is another revision: it is not lent again, whatever is known of it
   */
  giveBack(isSpent?: boolean): Promise<void>;
}

/** Which copy is wanted; by default one whose data is as the person has it. */
export interface LendHow {
  /** Not one that was used before, whatever is known of it. */
  isNew?: boolean | undefined;
  /** Another revision is put into it: not the first, which stays as it is. Of a new one no server is started. */
  isChanged?: boolean | undefined;
  /** Without the app's data: as a new app begins, with its migrations and its seed. */
  startsEmpty?: boolean | undefined;
  /** The time that the app's server takes it to be as it starts, if that runs in Node. Absent: now. */
  date?: Date | undefined;
}

/** The app in data copies: what looks and checks are made on, so that none of them meets what another one left behind. */
export interface CopiedApp {
  /** The first copy; open until `close`. */
  readonly first: DataCopy;
  /**
   * Lends a copy in which the same server runs: one that nothing has touched, else a new one. Several can be had at a time.
   * Rejects where a new one cannot be had.
   */
  lend(how?: LendHow): Promise<LentCopy>;
  /** The server of one of the copies that ended by itself. */
  crashed(): ServerState | undefined;
  close(): Promise<void>;
}

/** How the copies of an app are opened. */
export interface CopyHow {
  /** Its servers count what of the project's code they run. */
  countsCode?: boolean;
  /** Ports that the same command has opened where the person uses it: as many are waited for. */
  like?: () => readonly number[] | undefined;
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
  { countsCode = false, like = () => undefined }: CopyHow = {},
): Promise<CopiedApp | string> {
  const startHow = { signal, alone: true, countsCode };
  let crashed: ServerState | undefined;
  let shown: DataCopy | undefined;
  /** Ports of the first copy, and until there is one, of the person's own server. */
  const elsewhere = () => shown?.workspace.server?.ports ?? like();
  /** Stops watching the server of a copy: from then on its end is ours. */
  const unwatch = new Map<DataCopy["workspace"], () => void>();
  const first = await newCopy().catch((error: unknown) => {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  });
  if (typeof first === "string") return first;
  shown = first;
  /** Copies that nobody has, and that nothing has touched: with the person's data, and empty ones. */
  const idle: DataCopy[] = [first];
  const idleEmpty: DataCopy[] = [];
  /** All that are open, or on their way to be closed. */
  const open = new Set<DataCopy>([first]);
  /** Those that are being closed: nobody waits for that before the end. */
  const closing = new Set<Promise<void>>();

  async function newCopy({ startsEmpty, date, isChanged }: LendHow = {}): Promise<DataCopy> {
    const copy = await copies.open(startsEmpty ? { empty: true } : undefined);
    if (!copy) throw new Error("this machine makes none");
    try {
      if (startsEmpty) {
        const made = await migrate(copy.workspace, { seed: true, signal });
        if (made.kind === "failed") throw new Error(`a migration failed: ${made.output}`);
      }
      if (isChanged) return copy;
      const server = await started(copy, date);
      if (server.state === "up" && server.ports.length > 0) {
        const stopListening = copy.workspace.listen((notice) => {
          if (notice.type === "server" && notice.server.state === "crashed")
            crashed ??= notice.server;
        });
        unwatch.set(copy.workspace, stopListening);
        await copy.takeAsUntouched?.();
        return copy;
      }
    } catch (error) {
      await copy.close();
      throw error;
    }
    await copy.close();
    throw new Error(`${command} does not start in one`);
  }

  function started({ workspace }: DataCopy, date: Date | undefined): Promise<ServerState> {
    return startWithAllPorts(workspace, startAt(command, date), startHow, elsewhere);
  }

  async function takeIdle(from: DataCopy[], isFirstLeft: boolean): Promise<DataCopy | undefined> {
    for (;;) {
      const at = from.findIndex((copy) => !isFirstLeft || copy !== first);
      if (at === -1) return undefined;
      const [copy] = from.splice(at, 1);
      // What was looked at meanwhile may have been touched by that.
      if (!(await copy!.isTouched())) return copy;
      leave(copy!);
    }
  }

  function leave(copy: DataCopy): void {
    if (copy === first) return;
    unwatch.get(copy.workspace)?.();
    unwatch.delete(copy.workspace);
    open.delete(copy);
    const closed = copy.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    first,
    async lend(how = {}) {
      const { isNew = false, isChanged = false, startsEmpty = false, date } = how;
      const pool = startsEmpty ? idleEmpty : idle;
      // Its server has a clock of its own.
      const isOwn = isNew || date !== undefined;
      const copy = (isOwn ? undefined : await takeIdle(pool, isChanged)) ?? (await newCopy(how));
      open.add(copy);
      let isBack = false;
      return {
        ...copy,
        restart() {
          unwatch.get(copy.workspace)?.();
          return started(copy, date);
        },
        async giveBack(isSpent = false) {
          if (isBack) return;
          isBack = true;
          const isOver = isSpent || date !== undefined;
          if (isOver || (await copy.isTouched().catch(() => true))) leave(copy);
          else pool.push(copy);
        },
      };
    },
    crashed: () => crashed,
    async close() {
      await Promise.all([...closing, ...[...open].map((copy) => copy.close())]);
    },
  };
}
