import type { DatabaseAnswer, DatabaseQuestion } from "@treadle/protocol";
import type { FileStream, PostgresAsked, Workspace } from "@treadle/workspace";
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
  const said = await askInside(workspace, "exec treadle-db ask", asked, { answerMs });
  return typeof said === "object" && said !== null ? said : {};
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
  const said = await ask(workspace, question);
  if (said.answer && typeof said.answer === "object") return said.answer;
  throw refused(said.problem);
}

/** A table of it as CSV. @throws ApiFailure 422 `database` */
export function tableOut(workspace: Workspace, table: string | undefined): Promise<FileStream> {
  const wanted = tableOf(table);
  return outThroughFile(workspace, "csv", (other) =>
    transfer(workspace, { ask: "table-out", table: wanted, other }),
  );
}

/** Adds the rows of a CSV to a table. @returns a sentence that says what was done @throws ApiFailure 422 `database`; nothing was changed */
export function tableIn(
  workspace: Workspace,
  pieces: AsyncIterable<Uint8Array>,
  table: string | undefined,
): Promise<string> {
  const wanted = tableOf(table);
  return inThroughFile(workspace, "csv", pieces, (other) =>
    transfer(workspace, { ask: "table-in", table: wanted, other }),
  );
}

async function transfer(workspace: Workspace, asked: PostgresAsked): Promise<string> {
  const said = await ask(workspace, asked, TRANSFER_MS);
  if (typeof said.said === "string") return said.said.slice(0, 2_000);
  throw refused(said.problem);
}

function tableOf(table: string | undefined): string {
  if (table !== undefined) return table;
  throw new ApiFailure(
    422,
    "database",
    "A PostgreSQL database goes in and out table by table, as CSV. Its tables are defined in migrations.",
  );
}
