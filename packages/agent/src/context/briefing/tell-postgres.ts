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

/** Tables that are named, and characters of a name. */
const TABLES = 40;
const NAME = 60;
/** For the database to answer, with its start, in milliseconds. */
const ANSWER_MS = 10_000;

const EMPTY = "empty until something is written to it";

const QUESTION = `SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1 LIMIT ${TABLES + 1}`;

/**
 * What PostgreSQL there is, for a project whose files or whose person mean it; empty for all others, which are not asked
 * anything. What was told once stays told.
 * @param words what the person asks for now
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

/** What is in the database, or why that is not known. Starts its server. */
async function tablesText(workspace: Workspace): Promise<string> {
  const exit = await workspace.run(`printf '%s\\n' "$QUESTION" | treadle-db ask`, {
    env: { QUESTION: JSON.stringify({ ask: "sql", sql: QUESTION }) },
    isOwn: true,
    timeoutMs: ANSWER_MS,
  });
  const answer = answerIn(exit.output);
  // What its environment names comes before, and is SQLite.
  if (answer === undefined) return EMPTY;
  if (typeof answer === "string") return `which cannot be asked now (${answer})`;
  if (answer.length === 0) return "empty";
  const names = answer.slice(0, TABLES).map((name) => name.replace(/^public\./, ""));
  const more = answer.length > TABLES ? ", …" : "";
  return `with the tables ${names.map((name) => JSON.stringify(name)).join(", ")}${more}`;
}

/** Names of tables, or a problem. A program of the project may have written it. */
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
