import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { readText } from "../../project/project-files.ts";
import {
  environmentNamesPostgres,
  meansPostgres,
  namesPostgres,
} from "../../project/means-postgres.ts";
import { whyNoPostgres } from "../../project/postgres-refused.ts";
import { clipLine } from "../../text/clip.ts";
import { isRecord } from "../../text/is-record.ts";
import { prose } from "../../text/prose.ts";
import { visibleText } from "@treadle/protocol/safe-text";

const THERE = prose(new URL("./postgres-there.md", import.meta.url));

/** Maximum number of tables named, and characters per name. */
const TABLES = 40;
const NAME = 60;
/** Time limit for the database to start and answer, in milliseconds. */
const ANSWER_MS = 10_000;

const EMPTY = "empty until something is written to it";

const QUESTION = `SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1 LIMIT ${TABLES + 1}`;

/**
 * Describes the available PostgreSQL if the project's files or the person refer to it; otherwise
 * returns an empty string and queries nothing. Once given, the section stays.
 * @param words the person's current request
 */
export async function postgresText(
  workspace: Workspace,
  paths: readonly ProjectPath[],
  words: string,
  before: string,
): Promise<string> {
  const read = (path: string) => readText(workspace, toProjectPath(path));
  const isMeant = await meansPostgres(paths, read);
  const isNamed =
    isMeant ||
    before !== "" ||
    namesPostgres(words) ||
    (await environmentNamesPostgres(paths, read));
  if (!isNamed) return "";
  if (!workspace.hasPostgres) return whyNoPostgres(workspace);
  const holds = isMeant ? await tablesText(workspace) : EMPTY;
  return THERE.replace("{holds}", () => holds);
}

/** The database's tables, or why they are unknown. Starts the database server. */
async function tablesText(workspace: Workspace): Promise<string> {
  const exit = await workspace.run(`printf '%s\\n' "$QUESTION" | treadle-db ask`, {
    env: { QUESTION: JSON.stringify({ ask: "sql", sql: QUESTION }) },
    isOwn: true,
    timeoutMs: ANSWER_MS,
  });
  const answer = answerIn(exit.output);
  // The environment names another database, which takes precedence and is SQLite.
  if (answer === undefined) return EMPTY;
  if (typeof answer === "string") return `which cannot be asked now (${answer})`;
  if (answer.length === 0) return "empty";
  const names = answer.slice(0, TABLES).map((name) => name.replace(/^public\./, ""));
  const more = answer.length > TABLES ? ", …" : "";
  return `with the tables ${names.map((name) => JSON.stringify(name)).join(", ")}${more}`;
}

/** Parses table names or a problem from output that may come from a program of the project. */
function answerIn(output: string): string[] | string | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(output);
  } catch {
    manifest = undefined;
  }
  const shown = (value: unknown) => clipLine(visibleText(String(value)), NAME);
  const rows =
    isRecord(manifest) && isRecord(manifest["answer"]) ? manifest["answer"]["rows"] : undefined;
  if (Array.isArray(rows))
    return rows.map((row: unknown) => shown(Array.isArray(row) ? row[0] : row));
  if (isRecord(manifest) && manifest["bytes"] === null) return undefined;
  const problem = isRecord(manifest) ? manifest["problem"] : undefined;
  return problem === undefined ? "it did not answer" : clipLine(visibleText(String(problem)), 200);
}
