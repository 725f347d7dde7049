import { sentence } from "@treadle/protocol/sentences";
import { tailOf } from "@treadle/protocol/safe-text";
import type { Duplex } from "node:stream";
import type { ProjectPath, Publication } from "@treadle/protocol";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import { BESIDE_SQLITE, isSqliteFile, SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import { serverEnvironment } from "@treadle/egress";
import {
  isAppData,
  WorkspaceError,
  type Workspace,
  type WorkspaceNotice,
  type WorkspaceSettings,
} from "@treadle/workspace";
import { FILES_AT_ONCE, someAtOnce } from "@treadle/common";
import {
  ASLEEP,
  sandboxOf,
  transition,
  type AppEffect,
  type AppState,
  type Refusal,
} from "./app-transitions.ts";
import { createAppConnections, type AppConnections } from "./app-connections.ts";
import { ReleaseFailure } from "./release-failure.ts";
import { thrownIn } from "./thrown-in.ts";

/** Maximum length of the output shown for a failed start, in characters. */
const TAIL = 4_000;

/** The PostgreSQL database of one release. */
export interface ReleaseDatabase {
  /** The name of the sandbox that owns it. */
  readonly sandbox: string;
  /** Whether the app stores data in it and has ever connected to it. */
  has(workspace: Workspace): Promise<boolean>;
  /** Replaces it by a copy of another release's database. */
  takeFrom(sandbox: string): Promise<void>;
}

/** The process of one release in a separate sandbox: started on demand, and asleep when unused. */
export interface ReleaseApp {
  state(): NonNullable<Publication["app"]>;
  /** When the app came up, in milliseconds since 1970; undefined unless it is up. */
  upSince(): number | undefined;
  /** The resources used by its sandbox; undefined while it has none. */
  usage(): Publication["usage"];
  /**
   * Starts the app unless it is running, and resolves when it responds.
   * @throws ReleaseFailure
   */
  start(): Promise<void>;
  /**
   * Opens a new connection, after starting the app if it is asleep.
   * @throws ReleaseFailure, WorkspaceError
   */
  connect(): Promise<Duplex>;
  /** Reusable connections to the app. */
  connections: AppConnections;
  /**
   * Keeps the app in use until the returned function is called; starts it if it is asleep.
   * @throws ReleaseFailure
   */
  use(): Promise<() => void>;
  /** When the app was last used, in milliseconds since 1970; now, while it is in use. */
  usedAt(): number;
  /** Path of its SQLite database, if not the usual one. */
  readonly databaseFile: string | undefined;
  /** Absent without a PostgreSQL server. */
  readonly database: ReleaseDatabase | undefined;
  /** Whether the app has written data. */
  hasData(): Promise<boolean>;
  /** Files that the app has written. */
  data(): Promise<ProjectPath[]>;
  /** Takes over the data of another release's app. Neither may be running. */
  takeData(from: ReleaseApp): Promise<void>;
  /** The app's sandbox with its files, opened without starting the app. */
  workspace(): Promise<Workspace>;
  /** Passes the app's sandbox to `work`; the app counts as used until `work` settles. */
  withFiles<Result>(work: (workspace: Workspace) => Promise<Result>): Promise<Result>;
  /**
   * Whether its sandbox exists, with or without a process.
   * @param workspace whether it is still this one
   */
  isOpen(workspace?: Workspace): boolean;
  /**
   * Applies changed settings; hosts take effect at once.
   * @returns whether it has to be restarted, because secrets or its address changed
   */
  reconfigure(): Promise<boolean>;
  /** Ends the app and its sandbox; it can be started again. */
  sleep(): Promise<void>;
  /**
   * Reports an app that is running but not responding as crashed, and ends it and its sandbox.
   * @param text a sentence for the publisher
   */
  hangs(text: string): void;
}

export function createReleaseApp(options: {
  command: string;
  settings(): Promise<WorkspaceSettings>;
  open(settings: WorkspaceSettings): Promise<Workspace>;
  databaseFile?: string | undefined;
  database?: ReleaseDatabase | undefined;
  /** The files in the sandbox that the app has written. */
  dataOf(workspace: Workspace): Promise<ProjectPath[]>;
  now(): number;
  /** Receives the app's output, without the values of its secrets. */
  onOutput(text: string): void;
  /**
   * Called when the app exits by itself, or does not respond.
   * @param stack where the error was thrown, if known
   */
  onCrash(reason: string, stack?: string): void;
  /** Called when the app exceeded a limit but continues. */
  onLimit(words: string): void;
}): ReleaseApp {
  const { command, now, database } = options;
  /** The newest sandbox, with the settings in the app's environment. */
  let newest: { number: number; workspace: Workspace; environment: string } | undefined;
  let used = now();
  let users = 0;
  const waiting = {
    files: [] as PromiseWithResolvers<Workspace>[],
    app: [] as PromiseWithResolvers<void>[],
    end: [] as PromiseWithResolvers<void>[],
  };
  const lifecycle = createLifecycle(ASLEEP, transition, perform);

  function perform(effect: AppEffect): void {
    switch (effect.type) {
      case "open":
        return void openSandbox(effect.sandbox);
      case "start":
        return void startServer(effect.sandbox);
      case "end":
        return void endSandbox(effect.sandbox);
      case "give-files":
        return settle(waiting.files, ({ resolve }) => resolve(newest!.workspace));
      case "refuse-files":
        return settle(waiting.files, ({ reject }) => reject(failureOf(effect.refusal)));
      case "give-app":
        return settle(waiting.app, ({ resolve }) => resolve());
      case "refuse-app":
        return settle(waiting.app, ({ reject }) => reject(failureOf(effect.refusal)));
      case "tell-end":
        return settle(waiting.end, ({ resolve }) => resolve());
      case "refuse-end":
        return settle(waiting.end, ({ reject }) => reject(effect.error));
    }
  }

  async function openSandbox(sandbox: number): Promise<void> {
    try {
      const settings = await options.settings();
      const workspace = await options.open(settings);
      newest = { number: sandbox, workspace, environment: environmentOf(settings) };
      workspace.listen((notice) => onNotice(sandbox, notice));
    } catch (error) {
      return lifecycle.send({ type: "open-failed", sandbox, at: now(), error });
    }
    lifecycle.send({ type: "opened", sandbox });
  }

  async function startServer(sandbox: number): Promise<void> {
    try {
      const { workspace } = newest!;
      options.onOutput(`— ${new Date(now()).toISOString()} ${command}\n`);
      const server = await workspace.start(command, {
        env: { NODE_ENV: "production" },
        takesDials: true,
      });
      if (server.state !== "up")
        throw new ReleaseFailure(
          sentence("release-not-up", { command }),
          tailOf(server.tail ?? workspace.serverLog(), TAIL),
        );
      lifecycle.send({ type: "started", sandbox, at: now(), ports: server.ports });
    } catch (error) {
      lifecycle.send({ type: "start-failed", sandbox, at: now(), error });
    }
  }

  async function endSandbox(sandbox: number): Promise<void> {
    try {
      await newest?.workspace.stop();
      lifecycle.send({ type: "ended", sandbox });
    } catch (error) {
      lifecycle.send({ type: "end-failed", sandbox, error });
    }
  }

  function onNotice(sandbox: number, notice: WorkspaceNotice): void {
    const { state } = lifecycle;
    if (notice.type === "server-output") options.onOutput(notice.text);
    if (notice.type === "limit") options.onLimit(asSentence(notice.words));
    if (notice.type === "lost") {
      lifecycle.send({ type: "lost", sandbox });
      if (sandboxOf(state) === sandbox) options.onCrash(asSentence(notice.reason));
    }
    if (notice.type !== "server") return;
    const { server } = notice;
    if (server.state === "up")
      lifecycle.send({ type: "server-up", sandbox, at: now(), ports: server.ports });
    if (server.state !== "crashed") return;
    lifecycle.send({ type: "server-down", sandbox });
    if (state.kind !== "up" || state.sandbox !== sandbox) return;
    const { thrown, stack } = thrownIn(server.tail ?? "");
    const how = `It ended with ${server.exitCode ?? "a signal"}`;
    options.onCrash(thrown === undefined ? `${how}.` : `${how}: ${thrown}`, stack);
  }

  function workspace(): Promise<Workspace> {
    const asked = Promise.withResolvers<Workspace>();
    waiting.files.push(asked);
    lifecycle.send({ type: "open" });
    return asked.promise;
  }

  function start(): Promise<void> {
    const asked = Promise.withResolvers<void>();
    waiting.app.push(asked);
    lifecycle.send({ type: "start", at: now() });
    return asked.promise;
  }

  function sleep(): Promise<void> {
    const asked = Promise.withResolvers<void>();
    waiting.end.push(asked);
    lifecycle.send({ type: "sleep" });
    return asked.promise;
  }

  async function connect(): Promise<Duplex> {
    return connectNow().catch((error: unknown) => {
      // The sandbox died before it received anything.
      if (error instanceof WorkspaceError && error.code === "sandbox") return connectNow();
      throw error;
    });
  }

  async function connectNow(): Promise<Duplex> {
    await start();
    const { state } = lifecycle;
    const [port] = state.kind === "up" ? state.ports : [];
    if (port === undefined) throw new WorkspaceError("port", sentence("app-without-port"));
    return (await workspace()).connect(port);
  }

  function enter(): () => void {
    users++;
    let isUsing = true;
    return () => {
      if (!isUsing) return;
      isUsing = false;
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

  return {
    state: () => publicState(lifecycle.state),
    upSince: () => (lifecycle.state.kind === "up" ? lifecycle.state.at : undefined),
    usage: () =>
      sandboxOf(lifecycle.state) === undefined ? undefined : newest?.workspace.usage?.(),
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
    isOpen(one) {
      const { state } = lifecycle;
      const isThere = state.kind !== "asleep" && state.kind !== "ending";
      return isThere && (one === undefined || one === newest?.workspace);
    },
    async reconfigure() {
      const { kind } = lifecycle.state;
      if (kind === "asleep" || kind === "ending" || kind === "stuck") return false;
      const one = await workspace().catch(() => undefined);
      if (!one) return false;
      const settings = await options.settings();
      one.configure(settings);
      const isRunning = lifecycle.state.kind === "up" || lifecycle.state.kind === "starting";
      return isRunning && environmentOf(settings) !== newest?.environment;
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
      // A document that this release contains itself is not taken over.
      const brought = await own.fileHashes();
      const taken = (await from.data()).filter((path) => isAppData(path) || !brought.has(path));
      await someAtOnce(taken, FILES_AT_ONCE, (path) => copyData(other, own, path));
      if (database && (await from.database?.has(other)))
        await database.takeFrom(from.database!.sandbox);
    },
    sleep,
    hangs(text) {
      options.onCrash(text);
      sleep().catch((error: Error) => options.onOutput(`${error.message}\n`));
    },
  };
}

/** Settles all waiting callers; later ones keep waiting. */
function settle<Result>(
  waiting: PromiseWithResolvers<Result>[],
  answer: (one: PromiseWithResolvers<Result>) => void,
): void {
  for (const one of waiting.splice(0)) answer(one);
}

function failureOf(refusal: Refusal): unknown {
  switch (refusal.why) {
    case "failed":
      return refusal.error;
    case "failed-before":
      return new ReleaseFailure(sentence("release-failed-before"));
    case "ended":
      return new ReleaseFailure(sentence("release-ended"));
    case "crashed":
      return new ReleaseFailure(sentence("release-crashed"));
  }
}

function publicState(state: AppState): ReturnType<ReleaseApp["state"]> {
  switch (state.kind) {
    case "up":
      return "up";
    case "starting":
    case "down":
      return "starting";
    case "opening":
      return state.isStarting || state.end === "app" ? "starting" : "asleep";
    case "ending":
      return state.next === "app" ? "starting" : "asleep";
    case "asleep":
    case "open":
      return state.failedAt === undefined ? "asleep" : "failed";
    case "stuck":
      return "failed";
  }
}

const environmentOf = (settings: WorkspaceSettings) => JSON.stringify(serverEnvironment(settings));

/** Converts a line of output, such as `treadle: out of memory`, to a sentence in a list of errors. */
const asSentence = (words: string) =>
  words.trim().replace(/^treadle: (.)/, (_, first: string) => first.toUpperCase());

/** Copies a file that an app wrote; for a SQLite database with the files beside it. */
async function copyData(from: Workspace, to: Workspace, path: ProjectPath): Promise<void> {
  const head = await copyFile(from, to, path);
  // A new database may have all its content in the files beside it.
  const mayBeSqlite =
    isSqliteFile(path) || head?.length === 0 || head?.toString("latin1") === SQLITE_BEGINNING;
  if (head === undefined || !mayBeSqlite) return;
  for (const end of BESIDE_SQLITE) {
    const beside = `${path}${end}` as ProjectPath;
    // Files of an earlier database would be mistaken for this one's.
    if ((await copyFile(from, to, beside)) === undefined)
      await to.files.remove(beside).catch(unlessMissing);
  }
}

/** Copies one file. @returns its beginning; undefined if it does not exist */
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
