/** Whether a file has a usual name of SQLite databases. */
export const isSqliteFile = (path: string): boolean => /\.(?:db|db3|sqlite|sqlite3)$/i.test(path);

/** The first bytes of a SQLite database, in ASCII (https://sqlite.org/fileformat.html). */
export const SQLITE_BEGINNING = "SQLite format 3\0";

/** Suffixes of the files that SQLite keeps beside an open database; the first two contain a part of its data. */
export const BESIDE_SQLITE = ["-wal", "-journal", "-shm"] as const;
