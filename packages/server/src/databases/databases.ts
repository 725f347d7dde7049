import type {
  Database,
  DatabaseAnswer,
  DatabaseEnvironment,
  DatabaseQuestion,
} from "@treadle/protocol";

import { checkPath, type Workspace } from "@treadle/workspace";
import { notFound } from "../common/api-failure.ts";
import { askDatabase } from "./ask-database.ts";

const SQLITE = /\.(?:db|db3|sqlite|sqlite3)$/i;

/** The SQLite files that a project's app has written, each environment's own. */
export interface Databases {
  list(project: string): Promise<Database[]>;
  /** @throws ApiFailure 404 where there is no such database, and as `askDatabase` does */
  ask(
    project: string,
    environment: DatabaseEnvironment,
    path: string,
    question: DatabaseQuestion,
  ): Promise<DatabaseAnswer>;
}

async function databasesIn({ files }: Workspace) {
  const { files: listed } = await files.list();
  return listed.filter(({ kind, path }) => kind === "file" && SQLITE.test(path));
}

/** Works with the files of an environment; undefined where the project has none. */
type WithFiles = <Result>(
  project: string,
  work: (workspace: Workspace) => Promise<Result>,
) => Promise<Result | undefined>;

export function createDatabases(environments: Record<DatabaseEnvironment, WithFiles>): Databases {
  const names = Object.keys(environments) as DatabaseEnvironment[];

  return {
    async list(project) {
      const found: Database[] = [];
      for (const environment of names)
        for (const { path, size } of (await environments[environment](project, databasesIn)) ?? [])
          found.push({ environment, path, bytes: size });
      return found;
    },
    async ask(project, environment, path, question) {
      const known = checkPath(path);
      if (!SQLITE.test(known)) throw notFound("database");
      const answer = await environments[environment](project, async (workspace) => {
        // SQLite would make one.
        if (!(await databasesIn(workspace)).some((file) => file.path === known))
          throw notFound("database");
        return askDatabase(workspace, known, question);
      });
      if (!answer) throw notFound("database");
      return answer;
    },
  };
}
