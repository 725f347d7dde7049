import { Client } from "pg";
import { projectOfDatabase } from "./names.ts";

/**
 * Interval of measurements while anyone is connected, in milliseconds: a disk may write a few GB
 * meanwhile.
 */
const EVERY_MS = 5_000;
const ANSWER_MS = 5_000;
const MB = 1024 * 1024;

/** A project's databases exceed their size limit; the message contains nothing private. */
export class DatabaseFull extends Error {
  constructor(bytes: number) {
    super(
      `This app's PostgreSQL is larger than it may be (${Math.ceil(bytes / MB)} MB, TREADLE_DISK_MB), so nobody is let in. The person can allow more, or delete the project.`,
    );
  }
}

/**
 * Limits the size of each project's databases, which PostgreSQL itself cannot: if exceeded, all
 * sessions are ended, and new ones are refused.
 * @param onFull called once for each project
 */
export function createSizeWatch(
  { url, diskBytes }: { url: string; diskBytes: number },
  onFull: (project: string) => void,
  everyMs = EVERY_MS,
) {
  const full = new Set<string>();
  let users = 0;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const client = new Client({ connectionString: url, query_timeout: ANSWER_MS });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ datname: string; bytes: string }>(
        "SELECT datname, pg_database_size(oid) AS bytes FROM pg_database WHERE starts_with(datname, 'treadle_')",
      );
      const sizes = new Map<string, number>();
      for (const { datname, bytes } of rows) {
        const project = projectOfDatabase(datname);
        if (project !== undefined) sizes.set(project, (sizes.get(project) ?? 0) + Number(bytes));
      }
      for (const [project, bytes] of sizes) {
        if (bytes <= diskBytes) {
          full.delete(project);
          continue;
        }
        if (!full.has(project)) onFull(project);
        full.add(project);
        const own = rows.flatMap(({ datname }) =>
          projectOfDatabase(datname) === project ? [datname] : [],
        );
        await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY($1)",
          [own],
        );
      }
    } catch {
      // The server is stopping, or busy: measured again later.
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  return {
    /** @throws DatabaseFull */
    check(project: string): void {
      if (full.has(project)) throw new DatabaseFull(diskBytes);
    },
    /**
     * Call when someone uses the server.
     * @returns a function to call when they no longer do
     */
    enter(): () => void {
      users++;
      timer ??= setInterval(() => void look(), everyMs).unref();
      return () => {
        users--;
        if (users > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** Call when the project is removed. */
    forget: (project: string) => void full.delete(project),
    close: () => clearInterval(timer),
  };
}
