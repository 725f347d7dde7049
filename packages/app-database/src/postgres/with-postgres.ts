import { folderMark } from "@treadle/store";
import type { WorkspaceDriver } from "@treadle/workspace";
import { openAppsPostgres, type AppsPostgres } from "./apps-postgres.ts";

/**
 * The server of `TREADLE_APPS_DATABASE_URL`, for the projects of a data folder; undefined if it is not set.
 * @throws Error with a message if the address is invalid
 */
export function readAppsPostgres(
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
): AppsPostgres | undefined {
  const url = env.TREADLE_APPS_DATABASE_URL;
  if (url === undefined || url === "") return undefined;
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new Error(
      "TREADLE_APPS_DATABASE_URL is not the address of a PostgreSQL server: write postgres://role:password@host:5432/postgres",
    );
  return openAppsPostgres(url, () => folderMark(dataDirectory));
}

/** Adds the app's own PostgreSQL database to sandboxes that are opened without another. */
export function withPostgres(driver: WorkspaceDriver, postgres: AppsPostgres): WorkspaceDriver {
  return {
    ...driver,
    open: (options) =>
      driver.open({
        ...(!options.database && {
          databaseOfCopy: (how) => postgres.openCopy(options.project, how),
        }),
        database: postgres.take(options.project),
        ...options,
      }),
  };
}
