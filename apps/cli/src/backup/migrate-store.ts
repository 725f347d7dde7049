import { moveToPostgres, moveToSqlite } from "@treadle/server";
import { dataDirectory } from "../folders/data-directory.ts";
import { plain } from "../terminal/plain.ts";

/**
 * `treadle migrate-store`: moves the projects of a data folder to PostgreSQL, or back to SQLite.
 * @throws StoreError if nothing was moved; its message can be shown to people
 */
export async function migrateStore(command: {
  to: string | undefined;
  from: string | undefined;
  data: string | undefined;
}): Promise<number> {
  const data = dataDirectory(command.data, process.env);
  if (command.to !== undefined) {
    const { rows, left } = await moveToPostgres(data, command.to);
    process.stdout.write(
      `Moved ${rows.toLocaleString("en")} rows to PostgreSQL. Start Treadle with DATABASE_URL set to it.\nThe SQLite file is still there, as it was: ${plain(left)}\n`,
    );
  } else {
    const { rows, left } = await moveToSqlite(data, command.from ?? "");
    process.stdout.write(
      `Moved ${rows.toLocaleString("en")} rows to SQLite. Start Treadle without DATABASE_URL.\nThe PostgreSQL database still has them: ${plain(left)}\n`,
    );
  }
  return 0;
}
