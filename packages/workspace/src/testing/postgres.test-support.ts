import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";

/** Where Debian and others install the programs of a PostgreSQL server. */
const PLACES = ["/usr/lib/postgresql", "/opt/postgresql"];
/** The user that it runs as if the tests run as root, which it refuses: nobody. */
const UID = 65_534;

/** Folder of the newest PostgreSQL programs on this machine; undefined if there are none. */
export const postgresPrograms: string | undefined = PLACES.filter((place) => existsSync(place))
  .flatMap((place) => readdirSync(place).map((version) => join(place, version, "bin")))
  .filter((folder) => existsSync(join(folder, "initdb")))
  .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
  .at(-1);

export interface TestPostgres {
  /** Address for a superuser. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL server in a temporary folder; it listens on loopback and requires passwords.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-postgres-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, UID, UID);
  const as = isRoot ? { uid: UID, gid: UID } : {};
  const data = join(folder, "data");
  execFileSync(
    "bash",
    [
      "-c",
      'printf secret > "$1/word" && "$2/initdb" -D "$3" -U admin -A scram-sha-256 --pwfile="$1/word" -E UTF8 --no-sync > /dev/null',
      "make",
      folder,
      postgresPrograms!,
      data,
    ],
    { ...as, cwd: folder, env: { LANG: "C.UTF-8", PATH: process.env.PATH } },
  );
  const port = await freePort();
  const server = spawn(
    join(postgresPrograms!, "postgres"),
    ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"],
    { ...as, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  let stderr = "";
  server.stderr.on("data", (bytes: Buffer) => (stderr = (stderr + bytes.toString()).slice(-4_000)));
  const url = `postgres://admin:secret@127.0.0.1:${port}/postgres`;
  while (!(await answers(url)))
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${stderr}`);
  return {
    url,
    async close() {
      const gone = once(server, "exit");
      server.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection to a server; the caller handles its later errors. */
export async function connectTo(config: ClientConfig): Promise<Client> {
  const client = new Client(config);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
