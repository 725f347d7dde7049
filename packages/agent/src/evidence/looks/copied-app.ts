import type { ServerState } from "@treadle/protocol";
import type { DataCopies, DataCopy } from "../../ports/data-copies.ts";
import { migrate } from "../../project/migrations.ts";
import type { ServerCommand } from "../../project/server-command.ts";
import { startWithAllPorts } from "../../project/all-ports.ts";
import { startAt } from "../../project/start-at.ts";

/** A copy of the app, used exclusively until it is given back. */
export interface LentCopy extends DataCopy {
  /** Restarts the app's server, which is no longer watched afterwards. Rejects as `Workspace.start` does. */
  restart(): Promise<ServerState>;
  /**
   * Returns the copy. It is lent again if nothing has touched it, and closed otherwise. Never rejects; safe to call twice.
   * @param isSpent whether something failed in it or it holds another revision; it is then never lent again
   */
  giveBack(isSpent?: boolean): Promise<void>;
}

/** Which copy to lend; by default one with the person's current data. */
export interface LendHow {
  /** Requires a copy that has not been used before. */
  isNew?: boolean | undefined;
  /** The copy will receive another revision, so the first copy is not lent, and no server is started in a new one. */
  isChanged?: boolean | undefined;
  /** Requires a copy without the app's data: only its migrations and its seed have run. */
  startsEmpty?: boolean | undefined;
  /** The time on the clock of the app's server when it starts, if it runs in Node. Absent for the current time. */
  date?: Date | undefined;
}

/** Data copies of the app. Observations and checks run in them, so that none sees what another left behind. */
export interface CopiedApp {
  /** The first copy, which stays open until `close`. */
  readonly first: DataCopy;
  /** Whether the app only serves its files, so that nothing can be left behind in a copy. */
  readonly servesFiles: boolean;
  /**
   * Lends a copy that runs the same server: an untouched one or a new one. Several can be lent at the same time. Of an app
   * that only serves its files the first copy is lent to all, unless they change it or need one without data.
   * Rejects if a new copy is needed and cannot be opened.
   */
  lend(how?: LendHow): Promise<LentCopy>;
  /** Reports that the copy's server exited by itself. */
  crashed(): ServerState | undefined;
  close(): Promise<void>;
}

/** Options for opening copies of an app. */
export interface CopyHow {
  /** Whether the servers record coverage of the project's code. */
  countsCode?: boolean;
  /** Ports that the same command has opened in the person's own app; a copy waits for the same number. */
  like?: () => readonly number[] | undefined;
}

/**
 * Opens a data copy and starts the app's server in it.
 * @returns the reason as text if no copy can be opened or the server does not start in one; the person's own app is then
 * observed instead
 */
export async function openCopiedApp(
  copies: DataCopies,
  { command, servesFiles = false }: ServerCommand,
  signal: AbortSignal,
  { countsCode = false, like = () => undefined }: CopyHow = {},
): Promise<CopiedApp | string> {
  const startHow = { signal, alone: true, countsCode };
  let crashed: ServerState | undefined;
  let shown: DataCopy | undefined;
  /** Ports of the first copy or, before it exists, of the person's own server. */
  const elsewhere = () => shown?.workspace.server?.ports ?? like();
  /** Stops watching a copy's server, because its exit is intended from then on. */
  const unwatch = new Map<DataCopy["workspace"], () => void>();
  const first = await newCopy().catch((error: unknown) => {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  });
  if (typeof first === "string") return first;
  shown = first;
  /** Idle, untouched copies: those with the person's data, and empty ones. */
  const idle: DataCopy[] = [first];
  const idleEmpty: DataCopy[] = [];
  /** All copies that are open or closing. */
  const open = new Set<DataCopy>([first]);
  /** Copies that are closing; only `close` waits for them. */
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
      // Looking at the copy may have changed its data.
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

  /** The first copy, for one of several who use it at the same time. */
  const shared: LentCopy = {
    ...first,
    isTouched: async () => false,
    restart: () => started(first, undefined),
    giveBack: async () => undefined,
  };

  return {
    first,
    servesFiles,
    async lend(how = {}) {
      const { isNew = false, isChanged = false, startsEmpty = false, date } = how;
      if (servesFiles && !isChanged && !startsEmpty) return shared;
      const pool = startsEmpty ? idleEmpty : idle;
      // The copy's server has a separate clock.
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
