import { sentence } from "@treadle/protocol/sentences";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import type { Installation } from "../../host/installation.ts";
import type { ResourceLimits } from "../../limits/limits.ts";
import type { OwnPostgres, PostgresOptions, Programs } from "../../postgres-types.ts";
import { WorkspaceError } from "../../types.ts";
import type { FetchedPrograms } from "./fetch-programs.ts";
import { choosePrograms, majorOfData, programsOfMachine, type Choice } from "./programs.ts";
import {
  giveSockets,
  INSIDE,
  makeOwnFolder,
  runProgram,
  type ProgramPlaces,
  type RunningProgram,
} from "./run-program.ts";
import {
  NO_POSTGRES,
  serverTransition,
  type Caller,
  type ServerEffect,
  type ServerEvent,
} from "./server-lifecycle.ts";

/** How long a server must be unused before it is stopped. */
const IDLE_MS = 60_000;
/** Milliseconds after a failure in which further requests receive the same error. */
const RETRY_MS = 10_000;
/**
 * Time limits: for a start, including recovery after a kill; and for a stop, after which it is
 * killed.
 */
const START_MS = 60_000;
const STOP_MS = 15_000;
/** Interval at which a starting server's pid file is read. */
const POLL_MS = 10;
/** Exit code of `flock` if another server has the data. */
const IS_HELD = 75;
/** Prefix of data folders that are not complete yet. */
const DRAFT = "making-";
/** Maximum length of a unix socket's path, in bytes. */
const MAX_SOCKET_PATH = 107;

/**
 * Low settings, because one mostly idle server serves all projects of a data folder. Durability settings (`fsync`,
 * `full_page_writes`) keep their defaults. Everyone who can reach the socket may connect, which is Treadle alone.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  unix_socket_directories: INSIDE.sockets,
  shared_buffers: "16MB",
  max_connections: "200",
  wal_level: "minimal",
  max_wal_senders: "0",
  archive_mode: "off",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  max_worker_processes: "2",
  max_parallel_workers: "2",
  autovacuum_max_workers: "1",
  huge_pages: "off",
  // Per session: a query with an endless sort fails before the disk is full.
  temp_file_limit: "1GB",
  jit: "off",
  lc_messages: "C",
  logging_collector: "off",
  log_destination: "stderr",
};

/**
 * A script that runs the server, one per data directory. The server and all its processes hold the lock: a start waits
 * until a killed server is gone, and its pid file is stale by then.
 */
const SERVE = `exec flock --no-fork -w 10 -E ${IS_HELD} "$data/lock" bash --norc -c 'rm -f "$data/main/postmaster.pid"; echo begun; exec "$bin/postgres" -D "$data/main" "$@"' postgres "$@"`;
/** A script that creates the data in a folder, whose name is temporary until they are complete. */
const MAKE = `exec "$bin/initdb" -D "$data/$1" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --wal-segsize=4 --no-instructions`;

/** Parts that a server is created from. */
export interface PostgresParts {
  installation: Installation;
  limits: ResourceLimits;
  controlGroups: boolean;
  env: Record<string, string | undefined>;
  fetched: FetchedPrograms;
}

/**
 * Creates Treadle's own PostgreSQL server in a separate sandbox. Nothing runs before the first
 * lease.
 */
export function createPostgresServer(
  { directory, major, idleMs = IDLE_MS }: PostgresOptions,
  { installation, limits, controlGroups, env, fetched }: PostgresParts,
): OwnPostgres {
  const socketFolder = join(tmpdir(), `treadle-${process.pid}-${randomBytes(4).toString("hex")}`);
  const sockets = join(socketFolder, "s");
  const main = join(directory, "main");
  const waiting = new Map<Caller, { grant(): void; refuse(error: unknown): void }>();
  let lastCaller = 0;
  let programs: Programs | undefined;
  let server: RunningProgram | undefined;
  let timer: NodeJS.Timeout | undefined;

  const { send } = createLifecycle(NO_POSTGRES, serverTransition, perform);

  function perform(effect: ServerEffect): void {
    switch (effect.type) {
      case "prepare":
        return follow(prepare(), { type: "prepared" }, "prepare-failed");
      case "start":
        return follow(start(), { type: "started" }, "start-failed");
      case "stop":
        void stop().then(() => send({ type: "stopped" }));
        return;
      case "grant":
        for (const caller of effect.callers) take(caller)?.grant();
        return;
      case "refuse":
        for (const caller of effect.callers) take(caller)?.refuse(effect.error);
        return;
      case "confirm":
        clearTimeout(timer);
        rmSync(socketFolder, { recursive: true, force: true });
        for (const caller of effect.callers) take(caller)?.grant();
        return;
      case "await-idle":
        return after(idleMs, { type: "idle" });
      case "await-retry":
        return after(RETRY_MS, { type: "retry" });
    }
  }

  function follow(
    work: Promise<void>,
    done: ServerEvent,
    failed: "prepare-failed" | "start-failed",
  ): void {
    work.then(
      () => send(done),
      (error: unknown) => send({ type: failed, error }),
    );
  }

  function after(ms: number, event: ServerEvent): void {
    clearTimeout(timer);
    timer = setTimeout(() => send(event), ms).unref();
  }

  function take(caller: Caller) {
    const found = waiting.get(caller);
    waiting.delete(caller);
    return found;
  }

  function ask(type: "ask" | "close"): Promise<void> {
    const caller = ++lastCaller;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.set(caller, { grant: resolve, refuse: reject });
    send({ type, caller });
    return promise;
  }

  const places = (): ProgramPlaces => ({
    folder: directory,
    programs: programs!,
    installation,
    limits,
    controlGroups,
  });

  async function choose(): Promise<Choice> {
    const made = majorOfData(main);
    const there = await programsOfMachine(env);
    // A request for a specific version is not affected by the setting.
    if (major !== undefined && (made ?? major) === major)
      return there.find((one) => one.major === major) ?? { fetch: major };
    return choosePrograms(there, made);
  }

  async function prepare(): Promise<void> {
    const choice = await choose();
    programs = "fetch" in choice ? await fetched.get(choice.fetch) : choice;
    await makeOwnFolder(directory);
    // Incomplete data from when Treadle was killed are useless.
    for (const name of readdirSync(directory))
      if (name.startsWith(DRAFT)) rmSync(join(directory, name), { recursive: true, force: true });
    if (majorOfData(main) !== undefined) return;
    const draft = `${DRAFT}${randomBytes(4).toString("hex")}`;
    try {
      const made = runProgram(MAKE, [draft], places());
      if ((await made.ended) !== 0)
        throw new WorkspaceError(
          "failed",
          sentence("postgres-data-not-made", { why: made.output().trim().slice(-600) }),
        );
      renameSync(join(directory, draft), main);
    } finally {
      rmSync(join(directory, draft), { recursive: true, force: true });
    }
  }

  async function start(): Promise<void> {
    rmSync(socketFolder, { recursive: true, force: true });
    mkdirSync(socketFolder, { mode: 0o700 });
    mkdirSync(sockets, { mode: 0o700 });
    giveSockets(sockets);
    const words = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const starting = runProgram(SERVE, words, { ...places(), sockets });
    let code: number | undefined;
    void starting.ended.then((ended) => (code = ended));
    const until = performance.now() + START_MS;
    while (!(starting.output().includes("begun") && isReady())) {
      if (code === undefined && performance.now() < until) {
        await sleep(POLL_MS);
        continue;
      }
      starting.kill();
      await starting.ended;
      throw new WorkspaceError(
        "failed",
        code === IS_HELD
          ? sentence("postgres-data-held", { folder: directory })
          : sentence("postgres-not-started", { why: starting.output().trim().slice(-600) }),
      );
    }
    server = starting;
    void starting.ended.then(() => {
      if (server === starting) server = undefined;
      send({ type: "ended" });
    });
  }

  /** Reads the server's pid file, as `pg_ctl` does: its eighth line is the status. */
  function isReady(): boolean {
    try {
      const lines = readFileSync(join(main, "postmaster.pid"), "utf8").split("\n");
      return lines[7]?.trim() === "ready" && existsSync(join(sockets, ".s.PGSQL.5432"));
    } catch {
      return false;
    }
  }

  async function stop(): Promise<void> {
    const stopping = server;
    if (!stopping) return;
    // Ends sessions and writes everything, so that the next start has nothing to recover.
    stopping.signal("SIGINT");
    const late = setTimeout(() => stopping.kill(), STOP_MS);
    await stopping.ended;
    clearTimeout(late);
    rmSync(socketFolder, { recursive: true, force: true });
  }

  if (Buffer.byteLength(join(sockets, ".s.PGSQL.5432")) > MAX_SOCKET_PATH)
    throw new WorkspaceError("failed", sentence("postgres-socket-path", { folder: tmpdir() }));

  return {
    url: `postgres:///postgres?host=${encodeURIComponent(sockets)}&user=postgres`,
    diskBytes: limits.disk,
    hasData: () => majorOfData(main) !== undefined,
    async lease() {
      await ask("ask");
      let isHeld = true;
      return () => {
        if (isHeld) send({ type: "give-back" });
        isHeld = false;
      };
    },
    async describe() {
      try {
        const choice = await choose();
        if (!("fetch" in choice)) return { ok: true, ...choice };
        const there = await fetched.find(choice.fetch);
        return there ? { ok: true, ...there } : { ok: true, fetch: choice.fetch };
      } catch (error) {
        return { ok: false, problem: (error as Error).message };
      }
    },
    close: () => ask("close"),
  };
}
