import type {
  Database,
  DatabaseAnswer,
  DatabaseEnvironment,
  DatabaseQuestion,
  ProjectPath,
} from "@treadle/protocol";

import { isSqliteFile } from "@treadle/protocol/project-path";
import { checkPath, type FileStream, type Workspace } from "@treadle/workspace";
import { notFound } from "@treadle/common";
import { COPY, databasesIn } from "./app-databases.ts";
import { askDatabase } from "./ask-database.ts";
import {
  askPostgres,
  POSTGRES,
  postgresBack,
  postgresIn,
  postgresOut,
  postgresThere,
} from "./ask-postgres.ts";
import { goBackTo, putIn, takeOut } from "./transfer-database.ts";

/** Copies of the PostgreSQL database saved before a change, as SQL. */
const POSTGRES_COPY = /^\.data\/copies\/PostgreSQL-before-[\w.-]+\.sql$/;

/**
 * Data written by a project's app, for each environment: SQLite files, and its PostgreSQL database.
 */
export interface Databases {
  list(project: string): Promise<Database[]>;
  /** @throws ApiFailure 404 if there is no such database, and as `askDatabase` */
  ask(
    project: string,
    environment: DatabaseEnvironment,
    path: string,
    question: DatabaseQuestion,
  ): Promise<DatabaseAnswer>;
  /**
   * Exports a whole database, or a table as CSV.
   * @throws ApiFailure 404, 422 `database`
   */
  download(
    project: string,
    environment: DatabaseEnvironment,
    path: string,
    table?: string,
  ): Promise<FileStream>;
  /**
   * Replaces a whole database, after saving a copy, or inserts the rows of a CSV file into a table,
   * all or none.
   * @returns a sentence about the result
   * @throws ApiFailure 404, 422 `database`; nothing was changed
   */
  upload(
    project: string,
    environment: DatabaseEnvironment,
    path: string,
    pieces: AsyncIterable<Uint8Array>,
    table?: string,
  ): Promise<string>;
  /**
   * Restores a saved copy, after saving another one.
   * @param copy as listed, in `.data/copies`
   * @returns a sentence about the result
   * @throws ApiFailure 404, 422 `database`; nothing was changed
   */
  goBack(
    project: string,
    environment: DatabaseEnvironment,
    path: string,
    copy: string,
  ): Promise<string>;
}

/** Copies of the PostgreSQL database saved before a change. */
async function postgresCopies(
  environment: DatabaseEnvironment,
  { files }: Workspace,
): Promise<Database[]> {
  const { files: listed } = await files.list();
  return listed
    .filter(({ kind, path }) => kind === "file" && POSTGRES_COPY.test(path))
    .map(({ path, size }) => ({ environment, kind: "postgres", path, bytes: size }));
}

/** Runs a function with the files of an environment; undefined if the project does not have it. */
type WithFiles = <Result>(
  project: string,
  work: (workspace: Workspace) => Promise<Result>,
) => Promise<Result | undefined>;

const NAMES = ["preview", "published"] as const satisfies DatabaseEnvironment[];

export function createDatabases({
  hasPostgres = false,
  ...environments
}: Record<DatabaseEnvironment, WithFiles> & { hasPostgres?: boolean }): Databases {
  /**
   * Runs a function with an existing database.
   * @throws ApiFailure 404 if there is no such database
   */
  async function at<Result>(
    project: string,
    environment: DatabaseEnvironment,
    path: string,
    work: (workspace: Workspace, file: ProjectPath) => Promise<Result>,
  ): Promise<Result> {
    const known = checkPath(path);
    if (!isSqliteFile(known)) throw notFound("database");
    const done = await environments[environment](project, async (workspace) => {
      // SQLite would create a missing database.
      if (!(await databasesIn(workspace)).some((file) => file.path === known))
        throw notFound("database");
      return { result: await work(workspace, known) };
    });
    if (!done) throw notFound("database");
    return done.result;
  }

  const isPostgres = (path: string) => hasPostgres && path === POSTGRES;
  const isPostgresCopy = (path: string) => hasPostgres && POSTGRES_COPY.test(path);

  /**
   * Runs a function with an existing copy of the PostgreSQL database.
   * @throws ApiFailure 404 if there is no such copy
   */
  const atCopy = <Result>(
    project: string,
    environment: DatabaseEnvironment,
    copy: string,
    work: (workspace: Workspace, file: ProjectPath) => Promise<Result>,
  ): Promise<Result> =>
    beside(project, environment, async (workspace) => {
      const copies = await postgresCopies(environment, workspace);
      const found = copies.find(({ path }) => path === copy);
      if (!found) throw notFound("copy");
      return work(workspace, checkPath(found.path));
    });

  /**
   * Runs a function with the sandbox of an app with a PostgreSQL database.
   * @throws ApiFailure 404
   */
  async function beside<Result>(
    project: string,
    environment: DatabaseEnvironment,
    work: (workspace: Workspace) => Promise<Result>,
  ): Promise<Result> {
    const done = await environments[environment](project, async (workspace) => ({
      result: await work(workspace),
    }));
    if (!done) throw notFound("database");
    return done.result;
  }

  return {
    async list(project) {
      const found: Database[] = [];
      for (const environment of NAMES)
        await environments[environment](project, async (workspace) => {
          const files = (await databasesIn(workspace)).map(({ path, size }): Database => ({
            environment,
            kind: "sqlite",
            path,
            bytes: size,
          }));
          found.push(...files.filter(({ path }) => !COPY.test(path)));
          const there = hasPostgres ? await postgresThere(workspace) : undefined;
          if (there) found.push({ environment, kind: "postgres", path: POSTGRES, ...there });
          if (hasPostgres) found.push(...(await postgresCopies(environment, workspace)));
          // Saved copies of SQLite databases come last.
          found.push(...files.filter(({ path }) => COPY.test(path)));
        });
      return found;
    },
    ask: (project, environment, path, question) =>
      isPostgres(path)
        ? beside(project, environment, (workspace) => askPostgres(workspace, question))
        : isPostgresCopy(path) && question.ask === "tables"
          ? // The content of a copy can be seen only after the copy was restored.
            atCopy(project, environment, path, async () => ({ tables: [] }))
          : at(project, environment, path, (workspace, file) =>
              askDatabase(workspace, file, question),
            ),
    download: (project, environment, path, table) =>
      isPostgres(path)
        ? beside(project, environment, (workspace) => postgresOut(workspace, table))
        : isPostgresCopy(path)
          ? atCopy(project, environment, path, (workspace, file) =>
              workspace.files.readStream(file),
            )
          : at(project, environment, path, (workspace, file) =>
              takeOut(
                workspace,
                table === undefined ? { do: "file-out", file } : { do: "table-out", file, table },
              ),
            ),
    upload: (project, environment, path, pieces, table) =>
      isPostgres(path)
        ? beside(project, environment, (workspace) => postgresIn(workspace, pieces, table))
        : at(project, environment, path, (workspace, file) =>
            putIn(
              workspace,
              table === undefined ? { do: "file-in", file } : { do: "table-in", file, table },
              pieces,
            ),
          ),
    goBack: (project, environment, path, copy) =>
      isPostgres(path)
        ? atCopy(project, environment, copy, postgresBack)
        : at(project, environment, copy, (workspace, checkpoint) => {
            if (!COPY.test(checkpoint)) throw notFound("copy");
            return at(project, environment, path, (_, file) =>
              goBackTo(workspace, file, checkpoint),
            );
          }),
  };
}
