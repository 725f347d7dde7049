import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { existsSync, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream";
import type { Duplex } from "node:stream";
import { CHECKS_FILE } from "@treadle/agent";
import { removeTree, type Workspace, type WorkspaceDriver } from "@treadle/workspace";
import type { PreviewBrowser } from "@treadle/browser";
import { copyMade } from "@treadle/common/copy-made";
import { readMadeFile } from "@treadle/common/made-file";
import type { createGateway } from "@treadle/gateway";
import { askPage, askRoutes } from "./ask-app.ts";
import { startJudgesPostgres, UnusableDatabase, type JudgesPostgres } from "./judges-postgres.ts";
import { matchTables } from "./match-tables.ts";
import { LEFT_OUT, readApp, readSources, type ReadApp } from "./read-app.ts";
import { installApp, prepareEnvironment, startApp } from "./start-app.ts";
import { openAppPages, type AppPages } from "./try-checks.ts";
import { RULE_CODES, type RuleCode, type RuleResult, type Score, type ScoreRequest } from "./types.ts"; // prettier-ignore
import { countStatements, readTables, runSql } from "./watch-statements.ts";

/** What scoring needs of this machine. */
export interface ScoreParts {
  driver: Pick<WorkspaceDriver, "open">;
  /** Starts a browser whose pages a gateway answers. Absent: no page is opened. */
  openBrowser?: (gateway: ReturnType<typeof createGateway>) => PreviewBrowser;
  /** A folder for copies, absolute; created if missing. What is created in it is removed. */
  work: string;
}

/**
 * Applies the rules of the benchmark's judges to a delivered app, as far as a program can: in a new
 * copy, in a sandbox, with a PostgreSQL of their version at the address in the rules. The delivered
 * folder is not changed. Rejects with the signal's reason, and with `WorkspaceError` if this
 * machine cannot run anything.
 */
export async function scoreApp(parts: ScoreParts, request: ScoreRequest): Promise<Score> {
  const began = performance.now();
  const work = join(parts.work, randomBytes(6).toString("hex"));
  const rules = new Map<RuleCode, RuleResult>();
  const note = (result: RuleResult) => void rules.set(result.code, result);
  try {
    const app = readApp(request.folder);
    const isLaidOut = app.missing.length === 0;
    note({ code: "layout", state: isLaidOut ? "held" : "failed", root: app.root, missing: app.missing }); // prettier-ignore
    // A static site starts without a database: nothing in it would connect.
    const opened = mayConnect(request, app)
      ? await openDatabase(parts, request, { work, app, note })
      : "none";
    const postgres = typeof opened === "object" ? opened : undefined;
    if (opened === "none") note({ code: "database-opens", state: "inapplicable", version: null });
    try {
      if (isLaidOut && opened !== "broken")
        await runApp(parts, request, { work, app, note, postgres });
      await readDatabase(request, app, postgres, note);
      if (postgres && request.log !== undefined) {
        await mkdir(request.log, { recursive: true });
        await writeFile(join(request.log, "statements.csv"), await postgres.log());
      }
    } finally {
      await postgres?.stop();
    }
  } finally {
    await removeTree(work);
  }
  const all = RULE_CODES.map((code) => rules.get(code) ?? untried(code));
  return {
    rules: all,
    passes: all.every(({ state }) => state !== "failed"),
    ms: Math.round(performance.now() - began),
  };
}

interface Scored {
  work: string;
  app: ReadApp;
  note(result: RuleResult): void;
}

/** Whether the task requires a database or, if that is unknown, the app has a back end. */
const keepsData = ({ structures }: ScoreRequest, app: ReadApp): boolean =>
  structures === undefined ? app.hasBackend : structures.length > 0;

const mayConnect = (request: ScoreRequest, app: ReadApp): boolean =>
  keepsData(request, app) || app.hasBackend || databaseOf(request) !== undefined;

/** The delivered data directory; undefined if there is none. */
const databaseOf = ({ database }: ScoreRequest): string | undefined =>
  database !== undefined && existsSync(database) ? database : undefined;

async function openDatabase(
  { driver }: ScoreParts,
  request: ScoreRequest,
  { work, app, note }: Scored,
): Promise<JudgesPostgres | "broken"> {
  const { signal } = request;
  const from = databaseOf(request);
  const version = (from !== undefined && readMadeFile(from, "PG_VERSION")?.trim()) || null;
  const place = join(work, "judges");
  try {
    const postgres = await startJudgesPostgres(driver, { work: place, from, signal });
    // Without a delivered one, the judges start with an empty one.
    if (from === undefined && app.firstSql !== undefined) {
      const sql = readMadeFile(join(request.folder, app.root), app.firstSql);
      await runSql(postgres, sql ?? "").catch(() => undefined);
    }
    const state = from === undefined ? "inapplicable" : "held";
    note({ code: "database-opens", state, version });
    return postgres;
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    note({ code: "database-opens", state: "failed", version, error: error.message });
    return "broken";
  }
}

async function runApp(
  parts: ScoreParts,
  request: ScoreRequest,
  { work, app, note, postgres }: Scored & { postgres: JudgesPostgres | undefined },
): Promise<void> {
  const { signal } = request;
  const directory = join(work, "app");
  await copyMade(join(request.folder, app.root), directory, LEFT_OUT);
  const sources = readSources(directory);
  const checks = ownChecks(directory);
  // Treadle's own files have been read; the judged app does not use them.
  rmSync(join(directory, ".treadle"), { recursive: true, force: true });
  const workspace = await parts.driver.open({
    project: `judged-${randomBytes(6).toString("hex")}`,
    directory,
    stateDirectory: join(work, "app-state"),
    ...(postgres && { database: (connection) => void join5432(connection, postgres) }),
  });
  let pages: AppPages | undefined;
  try {
    await prepareEnvironment(workspace);
    note(await installApp(workspace, { directory, signal }));
    let listening: number[] = [];
    workspace.listen((notice) => {
      if (notice.type === "ports") listening = notice.ports;
    });
    const started = await startApp(workspace, signal);
    try {
      note(started.result);
      const { port } = started.result;
      if (port === null || started.result.state !== "held") return;
      const page = await askPage(workspace, port, signal);
      note(page);
      const ports = () => [port, ...listening.filter((one) => one !== port)];
      if (parts.openBrowser && page.state === "held") {
        pages = openAppPages(parts.openBrowser, workspace, ports, signal);
        const { isShown, picture } = await pages.look();
        note({ ...page, isShown, state: isShown ? "held" : "failed" });
        if (picture && request.log !== undefined) await keepPicture(request.log, picture);
      }
      await watchUse(request, app, { workspace, ports, sources, checks, pages, postgres, note });
    } finally {
      await started.end();
    }
  } finally {
    await pages?.close();
    await workspace.stop();
  }
}

/** The text of the app's own checks; empty if there are none, or if their folder is a link. */
function ownChecks(directory: string): string {
  const own = lstatSync(join(directory, dirname(CHECKS_FILE)), { throwIfNoEntry: false });
  return (own?.isDirectory() && readMadeFile(directory, CHECKS_FILE)) || "";
}

/** What happens while the app is requested and used, and which statements reach the database. */
async function watchUse(
  request: ScoreRequest,
  app: ReadApp,
  seen: {
    workspace: Workspace;
    ports(): number[];
    sources: ReturnType<typeof readSources>;
    checks: string;
    pages: AppPages | undefined;
    postgres: JudgesPostgres | undefined;
    note(result: RuleResult): void;
  },
): Promise<void> {
  const { workspace, ports, sources, checks, pages, postgres, note } = seen;
  const isKept = keepsData(request, app);
  const count = async () => (postgres ? countStatements(postgres) : { all: 0, writes: 0 });
  const before = await count();
  const api = await askRoutes(workspace, ports(), sources, request.signal);
  note(isKept || app.hasBackend ? api : { ...api, state: "inapplicable" });
  const runs = (await pages?.runChecks(checks, count)) ?? [];
  const after = await count();
  const statements = after.all - before.all;
  const during = runs.filter((run) => run.statements > 0).length;
  note({
    code: "database-reached",
    state: isKept ? (statements > 0 ? "held" : "failed") : "inapplicable",
    statements,
    checks: runs.length,
    during,
  });
  const writes = runs.reduce((sum, run) => sum + run.writes, 0);
  const state = !isKept ? "inapplicable" : runs.length === 0 ? "untried" : writes > 0 ? "held" : "failed"; // prettier-ignore
  note({ code: "rows-written", state, checks: runs, writes });
}

async function readDatabase(
  request: ScoreRequest,
  app: ReadApp,
  postgres: JudgesPostgres | undefined,
  note: Scored["note"],
): Promise<void> {
  if (!keepsData(request, app)) return note({ code: "tables", state: "inapplicable", structures: [] }); // prettier-ignore
  if (!postgres) return;
  const tables = await readTables(postgres);
  const structures = matchTables(request.structures ?? [], tables);
  // Without a task, it must store at least something.
  const isHeld =
    request.structures === undefined
      ? tables.length > 0
      : structures.every((one) => one.tables.length > 0);
  note({ code: "tables", state: isHeld ? "held" : "failed", structures });
}

/**
 * The app's connections go to the server unchanged: the judges' server checks names and passwords.
 */
async function join5432(connection: Duplex, postgres: JudgesPostgres): Promise<void> {
  try {
    const server = await postgres.connect();
    pipeline(connection, server, connection, () => undefined);
  } catch {
    connection.destroy();
  }
}

async function keepPicture(log: string, picture: Uint8Array): Promise<void> {
  await mkdir(log, { recursive: true });
  const isPng = picture[0] === 0x89;
  await writeFile(join(log, isPng ? "page.png" : "page.jpg"), picture);
}

function untried(code: RuleCode): RuleResult {
  const state = "untried";
  switch (code) {
    case "layout":
      return { code, state, root: ".", missing: [] };
    case "install":
      return { code, state, commands: [] };
    case "start":
      return { code, state, port: null, ms: 0 };
    case "page":
      return { code, state, status: null, isHtml: false, isShown: null };
    case "api":
      return { code, state, asked: [], broken: [] };
    case "database-opens":
      return { code, state, version: null };
    case "database-reached":
      return { code, state, statements: 0, checks: 0, during: 0 };
    case "rows-written":
      return { code, state, checks: [], writes: 0 };
    case "tables":
      return { code, state, structures: [] };
  }
}
