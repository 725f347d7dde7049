import type { DatabaseAnswer, DatabaseQuestion, ProjectPath } from "@treadle/protocol";
import type { FileStream, Workspace } from "@treadle/workspace";
import type { PostgresAsked } from "../inside/ask-postgres.ts";
import { ApiFailure } from "@treadle/common";
import { askInside, refused } from "./ask-inside.ts";
import { inThroughFile, outThroughFile } from "./transfer-database.ts";

/** The name under which the PostgreSQL database of an environment is listed, in place of a path. */
export const POSTGRES = "PostgreSQL";
/** Time limit of an export or import, in milliseconds. */
const TRANSFER_MS = 5 * 60_000;

/** A response, validated by its shape, since a program of the project may have written it. */
type Said = { answer?: DatabaseAnswer; bytes?: unknown; said?: unknown; problem?: unknown };

async function ask(workspace: Workspace, asked: PostgresAsked, answerMs?: number): Promise<Said> {
  const answer = await askInside(workspace, "exec treadle-db ask", asked, { answerMs });
  return typeof answer === "object" && answer !== null ? answer : {};
}

/**
 * The app's database, with its size if the server is reachable; undefined if it uses none, or its sandbox does not
 * answer.
 */
export async function postgresThere(
  workspace: Workspace,
): Promise<{ bytes?: number | undefined } | undefined> {
  try {
    const { bytes } = await ask(workspace, { ask: "about" });
    if (bytes === null) return undefined;
    return typeof bytes === "number" ? { bytes } : {};
  } catch (error) {
    // The server accepts the connection but does not answer.
    return error instanceof ApiFailure && error.code === "database-slow" ? {} : undefined;
  }
}

/**
 * Whether the app stores its data in PostgreSQL, judged by its files; the server need not be
 * reachable.
 */
export async function usesPostgres(workspace: Workspace): Promise<boolean> {
  try {
    return (await ask(workspace, { ask: "about" })).bytes !== null;
  } catch {
    return true;
  }
}

/**
 * Queries the app's PostgreSQL database from inside the app's sandbox.
 * @throws ApiFailure 422 `database` with PostgreSQL's message, 404, and as `askInside`
 */
export async function askPostgres(
  workspace: Workspace,
  question: DatabaseQuestion,
): Promise<DatabaseAnswer> {
  const answer = await ask(workspace, question);
  if (answer.answer && typeof answer.answer === "object") return answer.answer;
  throw refused(answer.problem);
}

/**
 * Exports the database as SQL, or a table as CSV.
 * @throws ApiFailure 422 `database`
 */
export const postgresOut = (workspace: Workspace, table: string | undefined): Promise<FileStream> =>
  outThroughFile(workspace, table === undefined ? "sql" : "csv", (other) =>
    transfer(
      workspace,
      table === undefined ? { ask: "dump-out", other } : { ask: "table-out", table, other },
    ),
  );

/**
 * Replaces the database's content by that of an SQL file, after saving a copy, or inserts the rows of a CSV file.
 * @returns a sentence about the result
 * @throws ApiFailure 422 `database`; nothing was changed
 */
export const postgresIn = (
  workspace: Workspace,
  pieces: AsyncIterable<Uint8Array>,
  table: string | undefined,
): Promise<string> =>
  inThroughFile(workspace, table === undefined ? "sql" : "csv", pieces, (other) =>
    table === undefined
      ? postgresBack(workspace, other)
      : transfer(workspace, { ask: "table-in", table, other }),
  );

/** Replaces the database's content by that of an SQL file of the project, such as a copy saved before a change. */
export const postgresBack = (workspace: Workspace, copy: ProjectPath): Promise<string> =>
  transfer(workspace, { ask: "dump-in", other: copy });

async function transfer(workspace: Workspace, asked: PostgresAsked): Promise<string> {
  const answer = await ask(workspace, asked, TRANSFER_MS);
  if (typeof answer.said === "string") return answer.said.slice(0, 2_000);
  throw refused(answer.problem);
}
