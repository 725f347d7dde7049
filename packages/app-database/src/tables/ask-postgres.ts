import type { DatabaseAnswer, DatabaseQuestion, ProjectPath } from "@treadle/protocol";
import type { FileStream, Workspace } from "@treadle/workspace";
import type { PostgresAsked } from "../inside/ask-postgres.ts";
import { ApiFailure } from "@treadle/common";
import { askInside, refused } from "./ask-inside.ts";
import { inThroughFile, outThroughFile } from "./transfer-database.ts";

/** Under which the PostgreSQL database of an environment is listed, in the place of a path. */
export const POSTGRES = "PostgreSQL";
/** A table of some size is written for so long, in milliseconds. */
const TRANSFER_MS = 5 * 60_000;

/** A program of the project may have said it: it is taken by its shape alone. */
type Said = { answer?: DatabaseAnswer; bytes?: unknown; said?: unknown; problem?: unknown };

async function ask(workspace: Workspace, asked: PostgresAsked, answerMs?: number): Promise<Said> {
  const answer = await askInside(workspace, "exec treadle-db ask", asked, { answerMs });
  return typeof answer === "object" && answer !== null ? answer : {};
}

/** The app's database, with its bytes unless the server is not reached; undefined where it uses none, or nobody can ask. */
export async function postgresThere(
  workspace: Workspace,
): Promise<{ bytes?: number | undefined } | undefined> {
  try {
    const { bytes } = await ask(workspace, { ask: "about" });
    if (bytes === null) return undefined;
    return typeof bytes === "number" ? { bytes } : {};
  } catch (error) {
    // The server takes the connection and then says nothing.
    return error instanceof ApiFailure && error.code === "database-slow" ? {} : undefined;
  }
}

/** Whether the app there keeps its data in PostgreSQL, by its own files; that server need not be there to know it. */
export async function usesPostgres(workspace: Workspace): Promise<boolean> {
  try {
    return (await ask(workspace, { ask: "about" })).bytes !== null;
  } catch {
    return true;
  }
}

/** Asks it, from inside the app's sandbox. @throws ApiFailure 422 `database` with PostgreSQL's words, 404, and as `askInside` does */
export async function askPostgres(
  workspace: Workspace,
  question: DatabaseQuestion,
): Promise<DatabaseAnswer> {
  const answer = await ask(workspace, question);
  if (answer.answer && typeof answer.answer === "object") return answer.answer;
  throw refused(answer.problem);
}

/** All of it as SQL, or a table of it as CSV. @throws ApiFailure 422 `database` */
export const postgresOut = (workspace: Workspace, table: string | undefined): Promise<FileStream> =>
  outThroughFile(workspace, table === undefined ? "sql" : "csv", (other) =>
    transfer(
      workspace,
      table === undefined ? { ask: "dump-out", other } : { ask: "table-out", table, other },
    ),
  );

/**
 * Puts what a file of SQL holds into its place, of which a copy is kept, or adds the rows of a CSV to a table.
 * @returns a sentence that says what was done
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

/** The same with a file of SQL that is inside, such as a copy that was kept before a change. */
export const postgresBack = (workspace: Workspace, copy: ProjectPath): Promise<string> =>
  transfer(workspace, { ask: "dump-in", other: copy });

async function transfer(workspace: Workspace, asked: PostgresAsked): Promise<string> {
  const answer = await ask(workspace, asked, TRANSFER_MS);
  if (typeof answer.said === "string") return answer.said.slice(0, 2_000);
  throw refused(answer.problem);
}
