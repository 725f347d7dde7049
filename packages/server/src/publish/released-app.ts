import { tailOf } from "@treadle/protocol/safe-text";
import type { Duplex } from "node:stream";
import type { ProjectPath, Publication } from "@treadle/protocol";
import { BESIDE_SQLITE, isSqliteFile, SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import {
  isAppData,
  serverEnvironment,
  WorkspaceError,
  type Workspace,
  type WorkspaceSettings,
} from "@treadle/workspace";
import { FILES_AT_ONCE, someAtOnce } from "../common/some-at-once.ts";
import { createAppConnections, type AppConnections } from "./app-connections.ts";
import { ReleaseFailure } from "./release-failure.ts";
import { thrownIn } from "./thrown-in.ts";

/** Lines of its own output that are told where an app does not start. */
const TAIL = 4_000;
/** An app that did not come up is not started again by each request that wants it, in milliseconds. */
const AGAIN_MS = 10_000;

/** The PostgreSQL database of one release. */
export interface ReleaseDatabase {
  /** The name of the sandbox that it belongs to. */
  readonly sandbox: string;
  /** Whether the app keeps its data in it, and has ever asked for it. */
  has(workspace: Workspace): Promise<boolean>;
  /** Makes it a copy of another release's. */
  takeFrom(sandbox: string): Promise<void>;
}

/** The process of one release, in a sandbox of its own: started when it is asked for, asleep while nobody does. */
export interface ReleasedApp {
  state(): NonNullable<Publication["app"]>;
  /** When it came up, in milliseconds since 1970; undefined while it is not. */
  upSince(): number | undefined;
  /** What its sandbox takes; undefined while it has none. */
  usage(): Publication["usage"];
  /** Resolves when it answers. @throws ReleaseFailure */
  start(): Promise<void>;
  /** A new connection to it; starts it where it sleeps. @throws ReleaseFailure, WorkspaceError */
  connect(): Promise<Duplex>;
  /** Connections to it that are used again. */
  connections: AppConnections;
  /** Somebody wants something of it until the returned function is called; starts it where it sleeps. @throws ReleaseFailure */
  use(): Promise<() => void>;
  /** Milliseconds since 1970 when somebody last wanted something of it; now, while somebody does. */
  usedAt(): number;
  /** Its SQLite database, where the preview has it elsewhere than apps usually do. */
  readonly databaseFile: string | undefined;
  /** Absent where there is no server of such. */
  readonly database: ReleaseDatabase | undefined;
  /** Whether it has written data. */
  hasData(): Promise<boolean>;
  /** Files that it has written. */
  data(): Promise<ProjectPath[]>;
  /** Takes over the data that the app of another release has written. Neither runs meanwhile. */
  takeData(from: ReleasedApp): Promise<void>;
  /** Its files, without starting it. */
  workspace(): Promise<Workspace>;
  /** The same for somebody else, who is a user of it meanwhile. */
  withFiles<Result>(work: (workspace: Workspace) => Promise<Result>): Promise<Result>;
  /** Whether its sandbox is there, whatever runs in it. @param workspace whether it is this one still */
  isOpen(workspace?: Workspace): boolean;
  /**
   * Its settings were changed: hosts count at once.
   * @returns whether it has to be started again, since it was given other secrets, or is found elsewhere
   */
  reconfigure(): Promise<boolean>;
  /** Ends it and its sandbox; it can be started again. */
  sleep(): Promise<void>;
  /** The same where it runs and answers nobody. @param said a sentence for who published it */
  hangs(said: string): void;
}

export function createReleasedApp(options: {
  command: string;
  settings(): Promise<WorkspaceSettings>;
  open(settings: WorkspaceSettings): Promise<Workspace>;
  databaseFile?: string | undefined;
  database?: ReleaseDatabase | undefined;
  /** Files that it has written, of those that are there. */
  dataOf(workspace: Workspace): Promise<ProjectPath[]>;
  now(): number;
  /** What it printed, without the values of its secrets. */
  onOutput(text: string): void;
  /** It ended by itself. @param stack where what it threw was thrown, if it said so */
  onCrash(said: string, stack?: string): void;
  /** It needed more than it may have, and goes on. */
  onLimit(said: string): void;
}): ReleasedApp {
  const { command, now, database } = options;
  let opened: Promise<Workspace> | undefined;
  let openedAs: Workspace | undefined;
  let running: Promise<void> | undefined;
  let state: ReturnType<ReleasedApp["state"]> = "asleep";
  let ports: number[] = [];
  let used = now();
  let users = 0;
  let failedAt = -Infinity;
  let ending: Promise<void> | undefined;
  /** What of its settings it finds in its environment, as it was opened with. */
  let given = "";
  let upAt: number | undefined;

  async function openNow(): Promise<Workspace> {
    const settings = await options.settings();
    given = givenBy(settings);
    return options.open(settings);
  }

  async function workspace(): Promise<Workspace> {
    await ending;
    opened ??= openNow().then(
      (one) => {
        openedAs = one;
        one.listen((notice) => {
          if (notice.type === "lost") gone(notice.reason);
          if (notice.type === "server-output") options.onOutput(notice.text);
          if (notice.type === "limit") options.onLimit(asSentence(notice.words));
          if (notice.type !== "server") return;
          if (notice.server.state === "up") {
            ports = notice.server.ports;
            isUp();
          } else if (notice.server.state === "crashed" && state === "up") {
            state = "starting";
            upAt = undefined;
            // It may be started again by itself; if not, then by the next who asks.
            running = undefined;
            const { exitCode, tail = "" } = notice.server;
            const { thrown, stack } = thrownIn(tail);
            options.onCrash(
              `It ended with ${exitCode ?? "a signal"}${thrown === undefined ? "." : `: ${thrown}`}`,
              stack,
            );
          }
        });
        return one;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  }

  function isUp(): void {
    if (state !== "up") upAt = now();
    state = "up";
  }

  function gone(reason: string): void {
    options.onCrash(asSentence(reason));
    state = "asleep";
    upAt = undefined;
    running = undefined;
  }

  async function startNow(): Promise<void> {
    if (now() - failedAt < AGAIN_MS) throw new ReleaseFailure("It did not start a moment ago.");
    state = "starting";
    try {
      const one = await workspace();
      options.onOutput(`— ${new Date(now()).toISOString()} ${command}\n`);
      const server = await one.start(command, {
        env: { NODE_ENV: "production" },
        takesDials: true,
      });
      if (server.state !== "up")
        throw new ReleaseFailure(
          `${command} did not come up.`,
          tailOf(server.tail ?? one.serverLog(), TAIL),
        );
      ports = server.ports;
      isUp();
    } catch (error) {
      failedAt = now();
      state = "failed";
      throw error;
    }
  }

  const start = () =>
    (running ??= startNow().catch((error: unknown) => {
      running = undefined;
      throw error;
    }));

  async function connect(): Promise<Duplex> {
    return connectNow().catch((error: unknown) => {
      // It died meanwhile, and nothing was asked of it yet.
      if (error instanceof WorkspaceError && error.code === "sandbox") return connectNow();
      throw error;
    });
  }

  async function connectNow(): Promise<Duplex> {
    await start();
    const [port] = ports;
    if (port === undefined) throw new WorkspaceError("port", "It listens on nothing.");
    return (await workspace()).connect(port);
  }

  function enter(): () => void {
    users++;
    let using = true;
    return () => {
      if (!using) return;
      using = false;
      users--;
      used = now();
    };
  }

  async function use(): Promise<() => void> {
    const leave = enter();
    try {
      await start();
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  function sleep(): Promise<void> {
    const one = opened;
    opened = undefined;
    running = undefined;
    state = "asleep";
    upAt = undefined;
    failedAt = -Infinity;
    const ended = (ending ?? Promise.resolve())
      .then(async () => (await one?.catch(() => undefined))?.stop())
      .finally(() => {
        if (ending === ended) ending = undefined;
      });
    ending = ended;
    return ended;
  }

  return {
    state: () => state,
    upSince: () => upAt,
    usage: () => (opened ? openedAs?.usage?.() : undefined),
    usedAt: () => (users > 0 ? now() : used),
    start,
    workspace,
    async withFiles(work) {
      const leave = enter();
      try {
        return await work(await workspace());
      } finally {
        leave();
      }
    },
    isOpen: (one) => opened !== undefined && (one === undefined || one === openedAs),
    async reconfigure() {
      const one = await opened?.catch(() => undefined);
      if (!one) return false;
      const settings = await options.settings();
      one.configure(settings);
      return running !== undefined && givenBy(settings) !== given;
    },
    connect,
    connections: createAppConnections(connect),
    use,
    databaseFile: options.databaseFile,
    database,
    async hasData() {
      const one = await workspace();
      return (await options.dataOf(one)).length > 0 || (await database?.has(one)) === true;
    },
    data: async () => options.dataOf(await workspace()),
    async takeData(from) {
      const [own, other] = [await workspace(), await from.workspace()];
      // A document that this release brings itself is its own.
      const brought = await own.fileHashes();
      const taken = (await from.data()).filter((path) => isAppData(path) || !brought.has(path));
      await someAtOnce(taken, FILES_AT_ONCE, (path) => copyData(other, own, path));
      if (database && (await from.database?.has(other)))
        await database.takeFrom(from.database!.sandbox);
    },
    sleep,
    hangs(said) {
      options.onCrash(said);
      sleep().catch((error: Error) => options.onOutput(`${error.message}\n`));
    },
  };
}

const givenBy = (settings: WorkspaceSettings) => JSON.stringify(serverEnvironment(settings));

/** As it is told in a list of what went wrong, and not among what a program printed. */
const asSentence = (words: string) =>
  words.trim().replace(/^treadle: (.)/, (_, first: string) => first.toUpperCase());

/** Copies a file that an app wrote; with a SQLite database goes what stands beside it. */
async function copyData(from: Workspace, to: Workspace, path: ProjectPath): Promise<void> {
  const head = await copyFile(from, to, path);
  // One that nothing was written into yet has all of it beside it.
  const mayBeSqlite =
    isSqliteFile(path) || head?.length === 0 || head?.toString("latin1") === SQLITE_BEGINNING;
  if (head === undefined || !mayBeSqlite) return;
  for (const end of BESIDE_SQLITE) {
    const beside = `${path}${end}` as ProjectPath;
    // What belongs to a database that was there before would be taken for this one's.
    if ((await copyFile(from, to, beside)) === undefined)
      await to.files.remove(beside).catch(unlessMissing);
  }
}

/** @returns what it begins with; undefined where there is none */
async function copyFile(
  from: Workspace,
  to: Workspace,
  path: ProjectPath,
): Promise<Buffer | undefined> {
  const stream = await from.files.readStream(path).catch(unlessMissing);
  if (!stream) return undefined;
  let head: Buffer = Buffer.alloc(0);
  async function* seen(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      if (head.length === 0) head = Buffer.from(piece.subarray(0, SQLITE_BEGINNING.length));
      yield piece;
    }
  }
  await to.files.writeStream(path, seen(stream.pieces));
  return head;
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof WorkspaceError && error.code === "missing")) throw error;
}
