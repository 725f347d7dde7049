import type { Database, DatabaseAnswer, DatabaseQuestion, Table } from "@treadle/protocol";
import { getJson, request, sendJson } from "./request.ts";

const apiPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/databases`;

export const databasesKey = (project: string) => ["databases", project] as const;

/** Key of every query about one database; invalidated after a change. */
export const databaseKey = (project: string, { environment, path }: Place) =>
  ["database", project, environment, path] as const;

export type Place = Pick<Database, "environment" | "path">;
export type Rows = Extract<DatabaseAnswer, { rows: unknown }>;

export const readDatabases = async (project: string, signal?: AbortSignal) =>
  (await getJson<{ databases: Database[] }>(apiPath(project), signal)).databases;

export const askDatabase = (
  project: string,
  { environment, path }: Place,
  question: DatabaseQuestion,
) =>
  sendJson<DatabaseAnswer>("POST", `${apiPath(project)}/questions`, {
    environment,
    path,
    question,
  });

export async function readTables(project: string, place: Place): Promise<Table[]> {
  const answer = await askDatabase(project, place, { ask: "tables" });
  return "tables" in answer ? answer.tables : [];
}

export async function readRows(
  project: string,
  place: Place,
  question: Extract<DatabaseQuestion, { ask: "rows" }>,
): Promise<Rows> {
  const answer = await askDatabase(project, place, question);
  return "rows" in answer ? answer : { columns: [], rows: [], more: false };
}

/** Folder of the copies made before a change, named after the database and the change. */
const COPIES = ".data/copies/";
const stem = (path: string) => path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");

/** The database that a file is a copy of; undefined if it is not a copy or its name does not say. */
export function databaseOfCopy(
  databases: readonly Database[],
  { environment, path }: Place,
): Database | undefined {
  if (!path.startsWith(COPIES)) return undefined;
  const named = databases.filter(
    (one) =>
      one.environment === environment &&
      !one.path.startsWith(COPIES) &&
      path.startsWith(`${COPIES}${stem(one.path)}-before-`),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** Whether a database is an SQL dump of the PostgreSQL database, which can be restored but not browsed. */
export const isSqlCopy = ({ kind, path }: Database): boolean =>
  kind === "postgres" && path.startsWith(COPIES);

/** Restores a database from a copy. */
export const goBackTo = (project: string, { environment, path }: Place, copy: string) =>
  sendJson<{ said: string }>("POST", `${apiPath(project)}/copy`, { environment, path, copy });

/** The URL for downloading and uploading a database, or one of its tables as CSV. */
export function contentAddress(project: string, place: Place, table?: string): string {
  const { environment, path } = place;
  const query = new URLSearchParams({ environment, path, ...(table !== undefined && { table }) });
  return `${apiPath(project)}/content?${query}`;
}

export async function putContent(
  project: string,
  place: Place,
  file: File,
  table?: string,
): Promise<{ said: string }> {
  const response = await request(contentAddress(project, place, table), {
    method: "PUT",
    headers: { "content-type": table === undefined ? "application/octet-stream" : "text/csv" },
    body: file,
  });
  return (await response.json()) as { said: string };
}
