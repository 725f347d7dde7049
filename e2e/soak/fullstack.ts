/**
 * `treadle bench fullstack` over the recorded tasks: `node e2e/soak/fullstack.ts [MINUTES] [ID…]`. Each is built, handed over,
 * started as the judges start it with a PostgreSQL of their version, and scored; then once more by `treadle bench score` over
 * all folders. All that work pass, the one that keeps nothing does not. Needs a build and a registry.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel } from "@treadle/scripted-model";
import { createDriver } from "@treadle/workspace";
import { Client } from "pg";
import { startJudgesPostgres } from "@treadle/fullstack-bench";
import { readAnswers, scriptOfAll, TASKS_FILE } from "../fullstack/answers.ts";
import { runTreadle } from "../support/run-treadle.ts";
import { cache, scriptedBy } from "../support/treadle.ts";

/**
 * Expected row counts of the delivered tables: the app's initial rows, without those written by
 * checks.
 */
const ROWS: Record<string, Record<string, number>> = {
  forum: { users: 0, topics: 0, replies: 0 },
  "call-log": { users: 1, clients: 0, call_logs: 0 },
  recipes: { recipes: 3 },
};
/** Apps that look as if they worked, but store nothing. */
const BROKEN = new Set(["empty-forum"]);

interface Row {
  id: string;
  verdict: string | null;
  summary: string;
  ms: number;
  checks: { held: number; all: number } | null;
  score: { passes: boolean; ms: number; rules: { code: string; state: string }[] } | null;
  scoreError?: string;
  databaseError?: string;
}

const requestedCases = process.argv.slice(3);
const folder = mkdtempSync(join(tmpdir(), "treadle-fullstack-"));
const model = await createScriptedModel({ script: scriptOfAll(readAnswers()) });
const [out, logs] = [join(folder, "apps"), join(folder, "logs")];
const print = (line: string) => process.stdout.write(`${line}\n`);
const failures: string[] = [];
try {
  const data = ["--data", join(folder, "data")];
  const only = requestedCases.length > 0 ? ["--only", requestedCases.join(",")] : [];
  const words = ["bench", "fullstack", "--tasks", TASKS_FILE, "--out", out, "--logs", logs];
  const built = await runTreadle([...words, ...only, ...data], scriptedBy(model));
  print(built.stdout + built.stderr);
  const { tasks } = JSON.parse(readFileSync(join(out, "report.json"), "utf8")) as { tasks: Row[] };
  for (const { id, verdict, summary, checks, score, ms, ...errors } of tasks) {
    const passes = score?.passes ?? false;
    const isRight = passes !== BROKEN.has(id) && existsSync(join(logs, id, "db", "PG_VERSION"));
    if (!isRight) failures.push(id);
    const rules = score?.rules.map(({ code, state }) => `${code} ${state}`).join(", ");
    const facts = [verdict, `${checks?.held}/${checks?.all} checks`, passes ? "passes" : "does not pass"]; // prettier-ignore
    const times = `${Math.round(ms / 1000)} s to build, ${Math.round((score?.ms ?? 0) / 1000)} s to score`;
    print(`${isRight ? "ok  " : "FAIL"} ${id.padEnd(12)} ${facts.join(" · ")} · ${times}`);
    if (!isRight) print(`     ${summary}\n     ${rules}\n     ${JSON.stringify(errors)}`);
  }
  for (const [id, rows] of Object.entries(ROWS))
    if (tasks.some((task) => task.id === id) && !(await holdsRows(join(logs, id, "db"), rows)))
      failures.push(`${id}: other rows were handed over`);
  const again = await runTreadle(["bench", "score", out, "--logs", logs, "--tasks", TASKS_FILE, "--json", ...data]); // prettier-ignore
  const scores = again.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { id: string; passes: boolean });
  for (const { id, passes } of scores)
    if (passes === BROKEN.has(id)) failures.push(`${id}, scored again`);
  if (scores.length !== tasks.length) failures.push(`${tasks.length - scores.length} not scored again: ${again.stderr}`); // prettier-ignore
  print(`${tasks.length} tasks; wrong: ${failures.length === 0 ? "none" : failures.join(", ")}`);
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
/**
 * Whether tables of a data directory have these row counts, according to a server of the judges'
 * version.
 */
async function holdsRows(from: string, rows: Record<string, number>): Promise<boolean> {
  const driver = await createDriver({ cacheDirectory: cache, env: process.env });
  const { signal } = new AbortController();
  const postgres = await startJudgesPostgres(driver, { work: join(folder, "rows"), from, signal });
  const client = new Client(await postgres.config());
  try {
    await client.connect();
    for (const [table, count] of Object.entries(rows)) {
      const { rowCount } = await client.query(`SELECT FROM ${table}`);
      if (rowCount !== count) return false;
    }
    return true;
  } finally {
    await client.end();
    await postgres.stop();
    await driver.close();
  }
}

process.exit(failures.length === 0 ? 0 : 1);
