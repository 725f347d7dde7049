/** Whether a file is called as SQLite databases are. */
export const isSqliteFile = (path: string): boolean => /\.(?:db|db3|sqlite|sqlite3)$/i.test(path);

/** What a SQLite database begins with, in ASCII (https://sqlite.org/fileformat.html). */
export const SQLITE_BEGINNING = "SQLite format 3\0";

/** What SQLite keeps beside a database that is open, behind its name; the first two hold a part of what was written. */
export const BESIDE_SQLITE = ["-wal", "-journal", "-shm"] as const;
